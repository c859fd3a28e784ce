#include "model/mix.hpp"

#include <algorithm>
#include <array>

namespace mansard {
namespace {

using Shares = std::array<double, 3>;  // demand reads, write-allocate reads, writes; they add up to 1

/// Of the stores that miss, the share that fetches their line: decided by the first level that allocates.
double fetching_stores(const Machine& machine) {
  for (const CacheLevel& cache : machine.caches) {
    if (!cache.allocate || cache.role == Role::victim) continue;
    return cache.write_back ? 1 - evasion_of(cache.evasion, 1) / 1e6 : 1;
  }
  return 0;
}

// likwid-bench: copy a=b, update a=s*a, triad a=b+c*d, daxpy y=a*x+y.
std::array<MixStreams, 5> all_streams(const Machine& machine) {
  const double fetched = fetching_stores(machine);
  return {
      {{"load", 1, 0, 0}, {"copy", 1, fetched, 1}, {"update", 1, 0, 1}, {"triad", 3, fetched, 1}, {"daxpy", 2, 0, 1}}};
}

Shares shares_of(const MixStreams& streams) {
  const double all = streams.loads + streams.write_allocates + streams.stores;
  return {streams.loads / all, streams.write_allocates / all, streams.stores / all};
}

constexpr double few_writes = 0.1;  // beyond this a bandwidth measured without any write is too high
constexpr double last_resort = 10;  // more than any distance between shares

Shares shares_of(const Flow& flow) {
  const auto total = static_cast<double>(flow.total());
  if (total == 0) return {1, 0, 0};
  return {static_cast<double>(flow.demand_fills + flow.prefetch) / total,
          static_cast<double>(flow.write_allocate) / total, static_cast<double>(flow.out()) / total};
}

double squared_distance(const Shares& a, const Shares& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

}  // namespace

std::optional<MixStreams> streams_of(const Machine& machine, const std::string& mix) {
  for (const MixStreams& streams : all_streams(machine)) {
    if (streams.name == mix) return streams;
  }
  return std::nullopt;
}

std::optional<MemoryMix> nearest_mix(const Machine& machine, const Flow& flow) {
  if (const auto& mix = machine.memory.mix) return MemoryMix{*mix, machine.memory.bandwidth.at(*mix)};
  const Shares shares = shares_of(flow);
  std::optional<MemoryMix> nearest;
  double least = 0;
  for (const MixStreams& reference : all_streams(machine)) {
    const auto found = machine.memory.bandwidth.find(reference.name);
    if (found == machine.memory.bandwidth.end() || !saturated(found->second)) continue;
    const bool only_reads = reference.stores == 0 && shares[2] > few_writes;
    const double distance = squared_distance(shares, shares_of(reference)) + (only_reads ? last_resort : 0);
    if (!nearest || distance < least) {
      nearest = MemoryMix{reference.name, found->second};
      least = distance;
    }
  }
  return nearest;
}

std::optional<BytesPerSecond> bandwidth_of(const Machine& machine, const Bandwidth& mix, std::uint32_t cores) {
  std::optional<BytesPerSecond> bound;
  const auto at_most = [&](BytesPerSecond b) { bound = bound ? std::min(*bound, b) : b; };
  if (mix.core) at_most(*mix.core * cores);
  if (mix.domain) {
    const std::uint32_t per_domain = std::max(1U, machine.cores / std::max(1U, machine.domains));
    const std::uint32_t in_use = (cores + per_domain - 1) / per_domain;
    at_most(*mix.domain * in_use);
  }
  return bound ? bound : mix.socket;
}

std::optional<BytesPerSecond> saturated(const Bandwidth& mix) {
  if (mix.domain) return mix.domain;
  return mix.socket ? mix.socket : mix.core;
}

Flow one_core_flow(const Machine& machine, Flow flow) {
  if (!machine.memory.streams_wait) return flow;
  flow.write_allocate += flow.nontemporal;
  flow.write_back += flow.nontemporal;
  flow.nontemporal = 0;
  return flow;
}

std::optional<Seconds> one_core_time(const Machine& machine, const Flow& flow) {
  const Flow costs = one_core_flow(machine, flow);
  const auto mix = nearest_mix(machine, costs);
  if (!mix || !mix->bandwidth.core) return std::nullopt;
  return Bytes(static_cast<double>(costs.total())) / *mix->bandwidth.core;
}

}  // namespace mansard
