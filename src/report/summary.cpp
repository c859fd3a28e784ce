#include "report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/advice.hpp"
#include "model/instructions.hpp"
#include "model/latency.hpp"
#include "model/transfer.hpp"
#include "report/describe.hpp"
#include "report/sharing.hpp"
#include "report/verdict.hpp"

namespace mansard {
namespace {

/// One nest through the models, before anything is divided by its updates.
struct Modelled {
  InCore core;
  EcmTimes ecm;
  Roofline roofline;
  std::vector<Ceiling> ceilings;
  double unit = 0;  ///< results in one cache line
};

Modelled model(const Machine& machine, const Kernel& kernel, const std::vector<Region>& regions, const Nest& nest,
               const NestResult& result) {
  Modelled m;
  m.core = in_core(machine, nest, result);
  const Flow memory = result.counters.boundary(machine.caches.size());
  m.ecm = ecm_times(machine, m.core, transfer_times(machine, result.counters), latency_time(machine, memory),
                    wait_time(machine, memory));
  m.roofline = roofline_of(machine, lanes_of(machine.core, kernel), result.counters, result.work, result.cores);
  m.ceilings = ceilings_of(machine, lanes_of(machine.core, kernel), regions, nest, result, m.core, result.cores);
  m.unit = results_per_line(machine, nest, result.executions);
  return m;
}

std::vector<LevelSummary> levels_of(const Counters& counters, const Work& work, const Roofline& roofline) {
  std::vector<LevelSummary> levels;
  for (std::size_t b = 0; b < roofline.levels.size(); ++b) {
    LevelSummary level;
    level.roof = roofline.levels[b];
    level.flow = counters.boundary(b);
    if (work.updates > 0) {
      level.bytes_per_update = static_cast<double>(level.flow.total()) / static_cast<double>(work.updates);
    }
    if (b < counters.levels.size()) level.lookups = counters.levels[b];
    if (level.roof.time && roofline.time && *roofline.time > Seconds(0)) level.used = *level.roof.time / *roofline.time;
    levels.push_back(level);
  }
  return levels;
}

std::vector<ArraySummary> arrays_of(const Program& program, const Counters& counters) {
  std::vector<ArraySummary> arrays;
  for (std::size_t a = 0; a < program.regions.size(); ++a) {
    ArraySummary array{program.regions[a].name, {}};
    for (const auto& boundary : counters.flows) array.flows.push_back(boundary[a]);
    const auto is_used = [](const Flow& flow) { return flow.total() > 0; };
    if (std::any_of(array.flows.begin(), array.flows.end(), is_used)) arrays.push_back(std::move(array));
  }
  return arrays;
}

PartSummary part(const Machine& machine, const Program& program, const NestResult& result, const Modelled& modelled,
                 std::uint32_t cores) {
  PartSummary p;
  p.name = result.name;
  p.work = result.work;
  p.accesses = result.counters.requests();
  p.line_lookups = result.counters.line_lookups;
  p.roofline = modelled.roofline;
  p.ceilings = modelled.ceilings;
  p.cache_aware = cache_aware_roofs(machine, modelled.roofline, cores);
  p.levels = levels_of(result.counters, result.work, modelled.roofline);
  p.arrays = arrays_of(program, result.counters);
  for (std::size_t k = 0; k < result.tlb.size(); ++k)
    p.tlb.push_back({machine.tlb[k].name, result.tlb[k].hits(), result.tlb[k].misses()});
  p.ecm = ecm_per_unit(machine, modelled.ecm, result.work.updates, modelled.unit);
  p.core = modelled.core;
  p.energy = energy_of(machine, result.counters, result.work);
  return p;
}

LayerSummary layers_of(const Machine& machine, const Program& program, std::size_t nest, bool repeated) {
  return summarize_layers(machine,
                          reuse_of(program.nests[nest], program.regions, machine.caches.front().line, repeated));
}

/// The least and the most that any of the capacities moves, where that makes a difference.
void add_bands(PartSummary& p, const std::vector<Counters>& smeared) {
  if (smeared.empty() || p.work.updates == 0) return;
  for (std::size_t b = 1; b < p.levels.size(); ++b) {
    const double here = *p.levels[b].bytes_per_update;
    Band band{here, here};
    for (const Counters& counters : smeared) {
      const double there = static_cast<double>(counters.boundary(b).total()) / static_cast<double>(p.work.updates);
      band = {std::min(band.low, there), std::max(band.high, there)};
    }
    if (mansard::smeared(band.low, band.high)) p.levels[b].band = band;
  }
}

/// All nests as one: counts and times add, the nest with most updates gives the unit of work.
NestResult sum_of(std::span<const NestResult> results) {
  NestResult sum;
  for (const NestResult& result : results) {
    sum.work += result.work;
    sum.counters += result.counters;
    sum.tlb.resize(result.tlb.size());
    for (std::size_t k = 0; k < result.tlb.size(); ++k) sum.tlb[k] += result.tlb[k];
  }
  return sum;
}

Modelled sum_of(std::span<const Modelled> nests, std::span<const NestResult> results, const Work& total) {
  std::vector<EcmTimes> ecm;
  std::vector<Roofline> roofline;
  std::vector<std::vector<Ceiling>> ceilings;
  std::size_t slowest = 0, busiest = 0;
  for (std::size_t i = 0; i < nests.size(); ++i) {
    ecm.push_back(nests[i].ecm);
    roofline.push_back(nests[i].roofline);
    ceilings.push_back(nests[i].ceilings);
    if (nests[i].ecm.total() > nests[slowest].ecm.total()) slowest = i;
    if (results[i].work.updates > results[busiest].work.updates) busiest = i;
  }
  Modelled sum;
  if (nests.empty()) return sum;
  sum = {nests[slowest].core, added(ecm), added(roofline, total),
         added(ceilings, Flops(static_cast<double>(total.flops()))), nests[busiest].unit};
  return sum;
}

/// Paths that were used and for which the machine file gives no bandwidth: they have no roof.
std::vector<std::string> unknown_paths(const Roofline& roofline) {
  std::vector<std::string> paths;
  for (const RooflineLevel& level : roofline.levels) {
    if (level.bytes > Bytes(0) && !level.time) paths.push_back(level.boundary);
  }
  return paths;
}

std::vector<std::string> warnings_of(const Machine& machine, const Kernel& kernel, std::span<const Modelled> nests,
                                     const RunInfo& run, const Counters& counters) {
  std::vector<std::string> all = machine.warnings;
  all.insert(all.end(), kernel.warnings.begin(), kernel.warnings.end());
  all.insert(all.end(), run.warnings.begin(), run.warnings.end());
  for (std::string& text : sharing_warnings(run.sharing)) all.push_back(std::move(text));
  std::set<std::string> missing;
  for (const Modelled& m : nests) missing.insert(m.core.missing.begin(), m.core.missing.end());
  if (!missing.empty()) {
    all.push_back(
        fmt::format("the in-core time leaves out what is not known: {}", join({missing.begin(), missing.end()})));
  }
  for (const Modelled& m : nests) {
    const std::vector<std::string> paths = unknown_paths(m.roofline);
    if (!paths.empty()) all.push_back("no bandwidth is known for " + join(paths) + ": these paths have no roof");
  }
  const std::uint64_t streamed = counters.boundary(machine.caches.size()).nontemporal;
  const std::uint64_t stored = counters.boundary(0).nontemporal;
  if (machine.memory.write_combining > 0 && streamed > stored + stored / 100) {
    all.push_back(fmt::format(
        "streaming stores write {:.1f} times the bytes that are stored: more lines are open at a time than the "
        "{} write-combining buffers hold",
        static_cast<double>(streamed) / static_cast<double>(stored), machine.memory.write_combining));
  }
  if (machine.memory.streams_wait && run.cores == 1 && streamed > 0) {
    all.emplace_back(
        "one core hardly gains by streaming stores here: a line stored past the caches waits in the core's line fill "
        "buffers as long as one that is fetched, and these bound one core, not the bus; with enough cores to saturate "
        "the memory the bytes that they save count");
  }
  if (run.cold && !run.drained && run.dirty_left > 0) {
    all.push_back(
        fmt::format("{} dirty lines were left in the caches and are not counted as write-backs", run.dirty_left));
  }
  std::vector<std::string> distinct;
  for (std::string& text : all) {
    if (std::find(distinct.begin(), distinct.end(), text) == distinct.end()) distinct.push_back(std::move(text));
  }
  return distinct;
}

}  // namespace

std::string PartSummary::bound_by() const {
  if (!ecm || !ecm->unit.total()) return roofline.bound_by;
  const bool in_core = ecm->unit.bound_by == "compute" || roofline.bound_by == "compute" || roofline.bound_by.empty();
  return in_core ? ecm->unit.bound_by : roofline.bound_by;
}

std::vector<EcmTimes> ecm_of(const Machine& machine, const Program& program, std::span<const NestResult> results) {
  std::vector<EcmTimes> times;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Flow memory = results[i].counters.boundary(machine.caches.size());
    times.push_back(ecm_times(machine, in_core(machine, program.nests[i], results[i]),
                              transfer_times(machine, results[i].counters), latency_time(machine, memory),
                              wait_time(machine, memory)));
  }
  return times;
}

Summary summarize(const Machine& machine, const Kernel& kernel, const Program& program,
                  std::span<const NestResult> results, const RunInfo& run,
                  std::span<const std::vector<NestResult>> smeared) {
  Summary s;
  s.run = run;
  s.machine = {
      machine.id, machine.name, machine.kind, machine.memory.name, machine.clock, cores_per_domain(machine), {}, false,
      {}};
  for (const CacheLevel& cache : machine.caches) s.machine.caches.push_back({cache.name, describe(cache, run.cores)});
  s.machine.victim = !machine.caches.empty() && machine.caches.back().role == Role::victim;
  s.workload = {kernel.name, kernel.parameters, kernel.schedule};

  std::vector<Modelled> nests;
  const bool repeated = results.size() == 1 && !run.cold;  // with several nests, the others come between
  for (std::size_t i = 0; i < results.size(); ++i) {
    nests.push_back(model(machine, kernel, program.regions, program.nests[i], results[i]));
    if (results.size() == 1) break;
    s.nests.push_back(part(machine, program, results[i], nests.back(), run.cores));
    if (run.cores == 1) s.nests.back().layers = layers_of(machine, program, i, repeated);
    std::vector<Counters> other;
    for (const auto& nest : smeared) other.push_back(nest[i].counters);
    add_bands(s.nests.back(), other);
  }
  const NestResult total = sum_of(results);
  s.total = part(machine, program, total, sum_of(nests, results, total.work), run.cores);
  if (results.size() == 1 && run.cores == 1) s.total.layers = layers_of(machine, program, 0, repeated);
  std::vector<Counters> other;
  for (const auto& nest : smeared) other.push_back(sum_of(nest).counters);
  add_bands(s.total, other);
  const std::string core_bound = s.total.ecm ? s.total.ecm->unit.core_bound : s.total.core.bound;
  s.advice = advise({machine, program, total.counters, s.total.core, s.total.bound_by(), core_bound,
                     static_cast<double>(total.work.updates)});
  s.warnings = warnings_of(machine, kernel, nests, run, total.counters);
  s.verdict = verdict_of(s);
  return s;
}

}  // namespace mansard
