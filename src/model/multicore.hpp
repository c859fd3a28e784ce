// Several cores: the ECM time of one core, with the traffic that many cores cause, shared until a memory domain is
// full. Stengel, Treibig, Hager, Wellein, ICS 2015 (doi:10.1145/2751205.2751240), section 2: P(n) = min(n · P(1),
// roof).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "model/ecm.hpp"
#include "model/result.hpp"
#include "units/quantity.hpp"

namespace mansard {

/// A program on so many cores. What is not known is absent.
struct MulticorePoint {
  std::uint32_t cores = 1;
  std::optional<Seconds> time;               ///< of the whole program
  std::optional<double> updates_per_second;  ///< of all cores
  std::string bound_by;                      ///< of the slowest nest: memory where its domains are full, else as ECM
  std::vector<std::optional<double>> bytes_per_update;  ///< [boundary], as simulated with these cores
};

/// `ecm[i]` are the times of all updates of nest i, `results[i]` what was counted. Cores fill one memory domain after
/// another and share a nest's updates equally, so that the fullest domain is the last to finish:
/// T(n) = max(T(1) / n, T_memory · n_d / n) with n_d cores in it, summed over the nests; with a latency penalty of the
/// machine it is that of scaling.hpp, of n_d cores. T(1) is T_ECM with
/// the memory latency of one core where that is known, and not less than the time at the memory bandwidth that was
/// measured with one core; a nest that is not shared
/// (`results[i].cores` is 1) takes it.
MulticorePoint multicore_point(const Machine& machine, std::span<const EcmTimes> ecm,
                               std::span<const NestResult> results, std::uint32_t cores);

/// Cores that share a memory domain, at least 1.
std::uint32_t cores_per_domain(const Machine& machine);

}  // namespace mansard
