// Why the traffic is what it is: compulsory, capacity, conflict, and what would change it.
#pragma once

#include "report/budget.hpp"
#include "study/run.hpp"

namespace mansard {

/// One simulation as it is, and one more per cache with that cache fully associative.
Budget explain(const RunRequest& request);

}  // namespace mansard
