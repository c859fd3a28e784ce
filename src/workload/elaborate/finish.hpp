// What remains to be done on a whole kernel once its tree is built.
#pragma once

#include <string>

#include "input/diagnostic.hpp"
#include "workload/kernel.hpp"

namespace mansard {

/// Drops computed (not read) index values that no subscript, bound or condition uses.
void remove_unused_defines(Kernel& kernel);

/// Marks the loops called `name` ("i"), or the one so called around a statement ("S2.i"). InputError if there is none.
void mark_updates(Kernel& kernel, const std::string& name, const Position& at);

}  // namespace mansard
