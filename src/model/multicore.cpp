#include "model/multicore.hpp"

#include <algorithm>

namespace mansard {
namespace {

struct NestTime {
  Cycles time;
  bool saturated;
};

std::optional<NestTime> nest_time(const Machine& machine, const EcmTimes& ecm, std::uint32_t cores) {
  const std::optional<Cycles> alone = ecm.total();
  if (!alone) return std::nullopt;
  const Cycles shared = *alone / cores;
  if (ecm.transfers.empty() || !ecm.transfers.back()) return NestTime{shared, false};
  const std::uint32_t fullest = std::min(cores, cores_per_domain(machine));
  const Cycles memory = *ecm.transfers.back() * fullest / cores;
  return memory >= shared ? NestTime{memory, true} : NestTime{shared, false};
}

}  // namespace

std::uint32_t cores_per_domain(const Machine& machine) {
  return std::max(1U, machine.cores / std::max(1U, machine.domains));
}

MulticorePoint multicore_point(const Machine& machine, std::span<const EcmTimes> ecm,
                               std::span<const NestResult> results, std::uint32_t cores) {
  MulticorePoint point;
  point.cores = cores;
  double updates = 0;
  std::vector<double> bytes(machine.caches.size() + 1);
  std::optional<Cycles> total(0.0), slowest;
  for (std::size_t i = 0; i < ecm.size(); ++i) {
    const auto nest = nest_time(machine, ecm[i], results[i].cores > 1 ? cores : 1);
    total = total && nest ? std::optional(*total + nest->time) : std::nullopt;
    if (nest && (!slowest || nest->time > *slowest)) {
      slowest = nest->time;
      point.bound_by = nest->saturated ? machine.level(machine.caches.size()) : ecm[i].bound_by;
    }
    updates += static_cast<double>(results[i].work.updates);
    for (std::size_t b = 0; b < bytes.size(); ++b) {
      bytes[b] += static_cast<double>(results[i].counters.boundary(b).total());
    }
  }
  for (const double b : bytes) {
    point.bytes_per_update.push_back(updates > 0 ? std::optional(b / updates) : std::nullopt);
  }
  if (!total) point.bound_by.clear();
  if (!total || *total == Cycles(0)) return point;
  point.time = *total / machine.clock;
  if (updates > 0) point.updates_per_second = updates / point.time->value;
  return point;
}

}  // namespace mansard
