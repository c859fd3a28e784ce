// A GPU as its machine file describes it, for people: multiprocessors, caches, memory, rates.
#pragma once

#include <string>

#include "machine/machine.hpp"

namespace mansard {

/// Several lines, from the clock to the pages; `machine` is of kind gpu.
std::string gpu_sheet(const Machine& machine);

}  // namespace mansard
