// Whether loops may be taken in any order, tiled and jammed: no dependence goes backwards in any of them.
// M. Wolf, M. Lam, "A data locality optimizing algorithm", PLDI 1991.
#pragma once

#include <string>
#include <vector>

#include "workload/kernel.hpp"

namespace mansard {

/// Of all nests that have loops of these names; false also where a nest is not affine.
bool permutable(const Kernel& kernel, const std::vector<std::string>& loops);

}  // namespace mansard
