// Conditions "is a multiple of" that the starts and steps of the loops around decide.
#pragma once

#include <vector>

#include "workload/kernel.hpp"

namespace mansard {

/// The nodes without the conditions that always hold, and without what is under those that never do.
std::vector<Node> without_decided_conditions(const std::vector<Node>& nodes);

}  // namespace mansard
