#include "model/transfer.hpp"

#include <algorithm>

#include "model/mix.hpp"

namespace mansard {
namespace {

std::optional<Cycles> direction(std::uint64_t bytes, const std::optional<BytesPerCycle>& width) {
  if (bytes == 0) return Cycles(0);
  if (!width) return std::nullopt;
  return Bytes(static_cast<double>(bytes)) / *width;
}

}  // namespace

std::optional<Cycles> link_time(const Link& link, const Flow& flow) {
  const auto in = direction(flow.in(), link.load), out = direction(flow.out(), link.evict);
  if (!in || !out) return std::nullopt;
  return link.duplex == Duplex::full ? std::max(*in, *out) : *in + *out;
}

std::optional<Cycles> memory_time(const Machine& machine, const Flow& flow) {
  if (flow.total() == 0) return Cycles(0);
  const auto mix = nearest_mix(machine, flow);
  const auto bandwidth = mix ? saturated(mix->bandwidth) : std::nullopt;
  if (!bandwidth) return std::nullopt;
  return Bytes(static_cast<double>(flow.total())) / *bandwidth * machine.clock;
}

std::vector<std::optional<Cycles>> transfer_times(const Machine& machine, const Counters& counters) {
  std::vector<std::optional<Cycles>> times;
  const std::size_t memory = machine.caches.size();
  for (std::size_t b = 1; b < memory; ++b) times.push_back(link_time(machine.caches[b].link, counters.boundary(b)));
  if (memory > 0) times.push_back(memory_time(machine, counters.boundary(memory)));
  return times;
}

}  // namespace mansard
