#include "model/ceilings.hpp"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <utility>

#include "model/mix.hpp"

namespace mansard {
namespace {

using Rate = std::optional<double>;

/// Flops per cycle of one lane from add and multiply units, each flop an instruction of its own.
Rate separate(const Rate& add, const Rate& mul, const Rate& fma) {
  if (!add || !mul) return std::nullopt;
  return fma ? std::min(*add + *mul, *fma) : *add + *mul;  // with FMA units, these run sums and products too
}

Rate or_else(const Rate& first, const Rate& second) { return first ? first : second; }

Rate scalar_rate(const Core& core) {
  const Rate fma = or_else(core.scalar.fma, core.per_cycle.fma);
  if (fma) return 2 * *fma;
  return separate(or_else(core.scalar.add, core.per_cycle.add), or_else(core.scalar.mul, core.per_cycle.mul), fma);
}

std::optional<Cycles> largest(const InCore& core, std::initializer_list<const char*> names) {
  std::optional<Cycles> most;
  for (const CoreTerm& term : core.terms) {
    if (std::find(names.begin(), names.end(), term.name) == names.end()) continue;
    if (!most || term.cycles > *most) most = term.cycles;
  }
  return most;
}

/// Lines that come from memory for loads which wait for one another: a table read at the index that it gave before.
double chased_lines(const Machine& machine, const std::vector<Region>& regions, const Nest& nest,
                    const NestResult& result) {
  std::vector<Quasi> chases;  // the element that gives the next index
  visit_bodies(nest.nodes, [&](const Body& body) {
    for (const StreamDefine& define : body.defines) {
      if (define.table && define.at.uses(define.slot)) chases.push_back(define.at);
    }
  });
  std::set<std::uint16_t> chased;
  visit_bodies(nest.nodes, [&](const Body& body) {
    for (const StreamRef& ref : body.refs) {
      const Quasi start(static_cast<Int>(regions[ref.array].start));
      for (const Quasi& at : chases) {
        if (ref.kind == Kind::load && ref.address == at * ref.bytes + start) chased.insert(ref.array);
      }
    }
  });
  std::uint64_t bytes = 0;
  for (const std::uint16_t array : chased) bytes += result.counters.flows[machine.caches.size()][array].demand_fills;
  return static_cast<double>(bytes) / machine.caches.front().line;
}

class Ceilings {
 public:
  explicit Ceilings(Flops flops) : flops_(flops) {}
  void add(const char* name, const std::optional<Seconds>& time) {
    if (!time || *time == Seconds(0)) return;
    all_.push_back({name, *time, flops_ > Flops(0) ? std::optional(flops_ / *time) : std::nullopt});
  }
  std::vector<Ceiling> take() { return std::move(all_); }

 private:
  Flops flops_;
  std::vector<Ceiling> all_;
};

}  // namespace

std::vector<Ceiling> ceilings_of(const Machine& machine, double lanes, const std::vector<Region>& regions,
                                 const Nest& nest, const NestResult& result, const InCore& core, std::uint32_t cores) {
  const Flops flops(static_cast<double>(result.work.flops()));
  const auto at_rate = [&](const Rate& per_cycle, double width) -> std::optional<Seconds> {
    if (!per_cycle) return std::nullopt;
    return flops / (FlopsPerCycle(*per_cycle * width) * machine.clock) / cores;
  };
  const auto of_terms = [&](std::initializer_list<const char*> names) -> std::optional<Seconds> {
    const auto cycles = largest(core, names);
    return cycles ? std::optional(*cycles / machine.clock / cores) : std::nullopt;
  };
  Ceilings ceilings(flops);
  ceilings.add("no SIMD", at_rate(scalar_rate(machine.core), 1));
  const Throughput& simd = machine.core.per_cycle;
  if (simd.fma) ceilings.add("no FMA", at_rate(separate(simd.add, simd.mul, simd.fma), lanes));
  ceilings.add("operation mix", of_terms({"add", "mul", "fma", "fp"}));
  ceilings.add("divide", of_terms({"div"}));
  ceilings.add("square root", of_terms({"sqrt"}));

  const Flow memory = result.counters.boundary(machine.caches.size());
  const auto mix = nearest_mix(machine, memory);
  if (mix && mix->bandwidth.domain && cores > machine.cores / std::max(1U, machine.domains))
    ceilings.add("one memory domain", Bytes(static_cast<double>(memory.total())) / *mix->bandwidth.domain);
  if (machine.memory.latency)
    ceilings.add("memory latency", *machine.memory.latency * chased_lines(machine, regions, nest, result));
  return ceilings.take();
}

std::vector<Ceiling> added(std::span<const std::vector<Ceiling>> nests, Flops total) {
  std::vector<Ceiling> sum;
  for (const std::vector<Ceiling>& nest : nests) {
    for (const Ceiling& one : nest) {
      const auto same = std::find_if(sum.begin(), sum.end(), [&](const Ceiling& c) { return c.name == one.name; });
      if (same == sum.end()) {
        sum.push_back(one);
      } else {
        same->time += one.time;
      }
    }
  }
  for (Ceiling& one : sum) one.performance = total > Flops(0) ? std::optional(total / one.time) : std::nullopt;
  return sum;
}

std::vector<CacheAwareRoof> cache_aware_roofs(const Machine& machine, const Roofline& roofline, std::uint32_t cores) {
  std::vector<CacheAwareRoof> roofs;
  if (roofline.levels.empty() || !roofline.peak) return roofs;
  const RooflineLevel& registers = roofline.levels.front();
  if (!registers.intensity || *registers.intensity == Intensity(0) || !registers.bandwidth) return roofs;
  BytesPerSecond narrowest = *registers.bandwidth;
  for (std::size_t l = 0; l < roofline.levels.size(); ++l) {
    if (l > 0) {
      std::optional<BytesPerSecond> path = roofline.levels[l].bandwidth;
      if (l < machine.caches.size() && machine.caches[l].link.load)
        path = *machine.caches[l].link.load * machine.clock * cores;
      if (!path) return roofs;
      narrowest = std::min(narrowest, *path);
    }
    roofs.push_back({roofline.levels[l].level, narrowest, std::min(*roofline.peak, *registers.intensity * narrowest)});
  }
  return roofs;
}

}  // namespace mansard
