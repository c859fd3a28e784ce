// The first line of a report.
#pragma once

#include <string>

#include "report/summary.hpp"

namespace mansard {

/// "jacobi-3d-7pt (N=300) on …: DRAM-bound, 24.5 B/update from DRAM, 341 M updates/s (ECM), 83 % of the DRAM roof".
std::string verdict_of(const Summary& summary);

}  // namespace mansard
