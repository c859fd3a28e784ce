#include "model/multicore.hpp"

#include <algorithm>

#include "model/mix.hpp"
#include "model/scaling.hpp"

namespace mansard {
namespace {

struct NestTime {
  Cycles time;
  std::string bound_by;
};

std::optional<NestTime> nest_time(const Machine& machine, const EcmTimes& ecm, const NestResult& result,
                                  std::uint32_t cores) {
  const std::optional<Cycles> alone = ecm.total();
  if (!alone) return std::nullopt;
  const std::string memory = machine.level(machine.caches.size());
  NestTime nest{*alone / cores, ecm.bound_by};
  const auto at_least = [&](const Cycles& time, const std::string& bound_by) {
    if (time > nest.time) nest = {time, bound_by};
  };
  if (ecm.one_core) at_least(*ecm.one_core / cores, ecm.core_bound == waits_for_stores ? ecm.bound_by : memory);
  const auto one_core = one_core_time(machine, result.counters.boundary(machine.caches.size()));
  if (one_core) at_least(*one_core * machine.clock / cores, memory);
  const std::uint32_t fullest = std::min(cores, cores_per_domain(machine));
  if (ecm.transfers.empty() || !ecm.transfers.back()) return nest;
  const double lines =
      static_cast<double>(result.counters.boundary(machine.caches.size()).total()) / machine.caches.front().line;
  const Cycles penalty(machine.memory.penalty.value_or(0) * lines);
  at_least(scale(nest.time * cores, *ecm.transfers.back(), penalty, fullest).back().time / cores, memory);
  return nest;
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
    const auto nest = nest_time(machine, ecm[i], results[i], results[i].cores > 1 ? cores : 1);
    total = total && nest ? std::optional(*total + nest->time) : std::nullopt;
    if (nest && (!slowest || nest->time > *slowest)) {
      slowest = nest->time;
      point.bound_by = nest->bound_by;
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
