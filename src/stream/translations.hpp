// A program as its TLBs see it.
#pragma once

#include "stream/program.hpp"

namespace mansard {

/// The same accesses in the same order, all of them loads and of one array: any access needs the translation of its
/// page and does nothing else to it.
Program translations_of(Program program);

}  // namespace mansard
