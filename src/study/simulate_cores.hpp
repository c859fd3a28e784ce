// As simulate.hpp, with several cores on the loops that parallel(…) shares.
#pragma once

#include "cache/cores/cores.hpp"
#include "study/simulate.hpp"

namespace mansard {

struct CoresSimulation {
  Simulation all;                     ///< counters are totals over the cores
  std::vector<SharingCount> sharing;  ///< [array], of what was measured
};

/// `cores` at least 1; check_caches has been passed.
CoresSimulation simulate_cores(const Program& program, const Geometry& geometry, std::uint32_t cores,
                               const SimulateOptions& options);

}  // namespace mansard
