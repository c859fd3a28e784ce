// No subscript may leave its array. Intervals prove most of it; what they leave open is enumerated exactly.
#pragma once

#include <cstdint>

#include "workload/kernel.hpp"

namespace mansard {

/// InputError naming the statement, the subscript, its value and where the loops stand at the first violation; a
/// table that points outside is named with the position and value of the entry. After `budget` steps of enumeration
/// the check is given up with a line in Kernel::warnings. Branches over data are taken to be executed.
void check_bounds(Kernel& kernel, std::uint64_t budget = 200'000'000);

}  // namespace mansard
