#include "model/latency.hpp"

#include <algorithm>
#include <cmath>

#include "model/ecm.hpp"
#include "model/incore.hpp"
#include "model/mix.hpp"
#include "model/transfer.hpp"

namespace mansard {
namespace {

/// One line from each of the benchmark's streams, as it moves through the machine in steady state.
Counters one_line_each(const Machine& machine, const MixStreams& streams) {
  const double line = machine.caches.front().line;
  const auto bytes = [&](double lines) { return static_cast<std::uint64_t>(std::llround(lines * line)); };
  Flow flow;
  flow.demand_fills = bytes(streams.loads);
  flow.write_allocate = bytes(streams.write_allocates);
  flow.write_back = bytes(streams.stores);
  Counters counters(machine.caches.size(), 1);
  for (std::size_t b = 0; b < counters.flows.size(); ++b) counters.flows[b][0] = flow;
  for (std::size_t c = 1; c < machine.caches.size(); ++c) {
    if (machine.caches[c].role != Role::victim) continue;  // lines from memory pass it by, what leaves goes into it
    Flow victim;
    victim.write_back = flow.write_back;
    victim.clean_victims = flow.in() - flow.write_back;
    counters.flows[c][0] = victim;
  }
  return counters;
}

std::optional<Cycles> over(double lines, const Machine& machine, const std::optional<double>& per_cycle) {
  if (lines == 0) return Cycles(0);
  if (!per_cycle) return std::nullopt;
  return Cycles(lines * machine.caches.front().line / machine.core.simd / *per_cycle);
}

}  // namespace

std::optional<Cycles> exposed_latency(const Machine& machine, const std::string& mix) {
  const auto figures = machine.memory.bandwidth.find(mix);
  const auto streams = streams_of(machine, mix);
  if (figures == machine.memory.bandwidth.end() || !figures->second.core || !streams || machine.caches.empty())
    return std::nullopt;
  InCore core;
  core.t_nol = over(streams->loads, machine, machine.core.per_cycle.loads);
  core.t_ol = over(streams->stores, machine, machine.core.per_cycle.stores);
  const Counters counters = one_line_each(machine, *streams);
  const EcmTimes times = ecm_times(machine, core, transfer_times(machine, counters));
  const auto modelled = adds(machine, machine.caches.size()) ? times.predictions.back() : times.transfers.back();
  if (!modelled) return std::nullopt;
  const auto bytes = static_cast<double>(counters.boundary(machine.caches.size()).total());
  const Cycles measured = Bytes(bytes) / *figures->second.core * machine.clock;
  const double lines = bytes / machine.caches.front().line;
  return std::max(Cycles(0), measured - *modelled) / lines;
}

std::optional<Cycles> latency_time(const Machine& machine, const Flow& memory) {
  if (memory.total() == 0) return Cycles(0);
  const Flow flow = one_core_flow(machine, memory);
  const auto mix = nearest_mix(machine, flow);
  const auto per_line = mix ? exposed_latency(machine, mix->name) : std::nullopt;
  if (!per_line) return std::nullopt;
  return *per_line * (static_cast<double>(flow.total()) / machine.caches.front().line);
}

std::optional<Cycles> wait_time(const Machine& machine, const Flow& memory) {
  if (memory.nontemporal == 0 || !machine.memory.streams_wait) return std::nullopt;
  const auto buffered = memory_time(machine, one_core_flow(machine, memory));
  const auto moved = memory_time(machine, memory);
  if (!buffered || !moved) return std::nullopt;
  return std::max(Cycles(0), *buffered - *moved);
}

}  // namespace mansard
