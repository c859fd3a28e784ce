// Several cores on one memory interface: how the ECM time of one core grows while the interface fills.
#pragma once

#include <cstdint>
#include <vector>

#include "units/quantity.hpp"

namespace mansard {

/// n cores, each at its own unit of work.
struct ScalingPoint {
  std::uint32_t cores = 1;
  Cycles time;             ///< per unit of work of one core
  double utilization = 0;  ///< of the memory interface, 0 … 1
  double speedup = 1;      ///< units per cycle of all cores over those of one core alone
};

/// The recursion of Hofmann, Hager, Fey, ISC 2018 (doi:10.1007/978-3-319-92040-5_2): a request meets those of the other
/// cores where the interface is busy, so that T(n) = T(1) + (n-1) · u(n-1) · p0 with u(n) = min(1, n · T_mem / T(n)),
/// and never less than n · T_mem, the interface's own time. `penalty` is p0, cycles per unit of work; 0 gives the plain
/// model min(n · P(1), saturated). Cores 1 … `cores` of one memory domain.
std::vector<ScalingPoint> scale(Cycles one_core, Cycles memory, Cycles penalty, std::uint32_t cores);

}  // namespace mansard
