// The first line of a report.
#pragma once

#include <string>

#include "report/summary.hpp"

namespace mansard {

/// "jacobi-3d-7pt on haswell-ep-e5-2695v3-cod: memory-bound, 24.3 B/update, 474 M updates/s (ECM), 74 % of the roof".
/// Bytes are those of the memory boundary, the roof is the one that binds.
std::string verdict_of(const Summary& summary);

}  // namespace mansard
