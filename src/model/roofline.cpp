#include "model/roofline.hpp"

#include <algorithm>

#include "model/mix.hpp"
#include "model/transfer.hpp"

namespace mansard {
namespace {

/// Loads and stores have ports of their own and overlap at REG-L1.
Link register_link(const Core& core) {
  Link link;
  if (core.per_cycle.loads) link.load = BytesPerCycle(*core.per_cycle.loads * core.simd);
  if (core.per_cycle.stores) link.evict = BytesPerCycle(*core.per_cycle.stores * core.simd);
  link.duplex = Duplex::full;
  return link;
}

void through_link(RooflineLevel& level, const Link& link, const Flow& flow, Hertz clock, std::uint32_t cores) {
  const auto cycles = link_time(link, flow);
  if (cycles) level.time = *cycles / clock / cores;
  if (link.load) level.bandwidth = *link.load * clock * cores;  // stays where nothing moves
}

void finish_level(RooflineLevel& level, Flops flops, const std::optional<FlopsPerSecond>& peak) {
  if (level.bytes == Bytes(0)) return;
  level.intensity = flops / level.bytes;
  level.bandwidth.reset();
  if (!level.time || *level.time == Seconds(0)) return;
  level.bandwidth = level.bytes / *level.time;
  level.roof = *level.intensity * *level.bandwidth;
  if (peak) level.roof = std::min(*level.roof, *peak);
}

void finish(Roofline& roofline, Flops flops, double updates) {
  for (RooflineLevel& level : roofline.levels) finish_level(level, flops, roofline.peak);
  if (!roofline.time || *roofline.time == Seconds(0)) return;
  roofline.performance = flops / *roofline.time;
  roofline.updates_per_second = updates / roofline.time->value;
}

void bind(Roofline& roofline) {
  const auto consider = [&](const std::optional<Seconds>& time, const std::string& name) {
    if (time && (!roofline.time || *time > *roofline.time)) roofline.time = time, roofline.bound_by = name;
  };
  consider(roofline.compute, "compute");
  for (const RooflineLevel& level : roofline.levels) consider(level.time, level.level);
}

Flops flops_of(const Work& work) { return Flops(static_cast<double>(work.flops())); }

std::optional<Seconds> plus(const std::optional<Seconds>& a, const std::optional<Seconds>& b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

}  // namespace

double lanes_of(const Core& core, const Kernel& kernel) {
  std::uint32_t widest = 0;
  for (const Array& array : kernel.arrays) {
    if (is_float(array.type)) widest = std::max(widest, bytes_of(array.type));
  }
  return std::max(1.0, static_cast<double>(core.simd) / (widest == 0 ? 8 : widest));
}

std::optional<FlopsPerSecond> peak_of(const Machine& machine, double lanes, std::uint32_t cores) {
  const Throughput& rate = machine.core.per_cycle;
  std::optional<double> flops;  // per cycle and lane
  if (rate.fma) {
    flops = 2 * *rate.fma;
  } else if (rate.add && rate.mul) {
    flops = *rate.add + *rate.mul;
  }
  if (!flops) return std::nullopt;
  return FlopsPerCycle(*flops * lanes * cores) * machine.clock;
}

Roofline roofline_of(const Machine& machine, double lanes, const Counters& counters, const Work& work,
                     std::uint32_t cores) {
  Roofline roofline;
  roofline.peak = peak_of(machine, lanes, cores);
  if (roofline.peak) roofline.compute = flops_of(work) / *roofline.peak;
  const std::size_t memory = machine.caches.size();
  for (std::size_t b = 0; b <= memory; ++b) {
    const Flow flow = counters.boundary(b);
    RooflineLevel level{
        machine.level(b), machine.boundary(b), Bytes(static_cast<double>(flow.total())), {}, {}, {}, {}};
    if (b < memory) {
      through_link(level, b == 0 ? register_link(machine.core) : machine.caches[b].link, flow, machine.clock, cores);
    } else if (const auto mix = nearest_mix(machine, flow)) {
      roofline.memory_mix = mix->name;
      level.bandwidth = bandwidth_of(machine, mix->bandwidth, cores);
      if (level.bandwidth) level.time = level.bytes / *level.bandwidth;
      const auto alone = flow.nontemporal > 0 ? one_core_time(machine, flow) : std::nullopt;
      if (alone && level.time && *alone / cores > *level.time) {
        level.time = *alone / cores;
        level.bandwidth = level.bytes / *level.time;
      }
    }
    roofline.levels.push_back(level);
  }
  bind(roofline);
  finish(roofline, flops_of(work), static_cast<double>(work.updates));
  return roofline;
}

Roofline added(std::span<const Roofline> nests, const Work& total) {
  if (nests.empty()) return {};
  Roofline sum = nests.front();
  const Roofline* slowest = &nests.front();
  for (const Roofline& nest : nests.subspan(1)) {
    for (std::size_t i = 0; i < sum.levels.size(); ++i) {
      sum.levels[i].bytes += nest.levels[i].bytes;
      sum.levels[i].time = plus(sum.levels[i].time, nest.levels[i].time);
    }
    sum.compute = plus(sum.compute, nest.compute);
    sum.time = plus(sum.time, nest.time);
    if (nest.time > slowest->time) slowest = &nest;
  }
  sum.bound_by = slowest->bound_by;
  sum.memory_mix = slowest->memory_mix;
  sum.performance.reset();
  sum.updates_per_second.reset();
  finish(sum, flops_of(total), static_cast<double>(total.updates));
  return sum;
}

}  // namespace mansard
