#include "report/gpu_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/gpu_advice.hpp"
#include "report/verdict.hpp"
#include "units/print.hpp"

namespace mansard {
namespace {

std::string described(const Gpu& gpu, const GpuCache& cache) {
  std::string text = fmt::format("{}{}, {} ways of {} B lines in {} B sectors, {}, ",
                                 cache.scope == CacheScope::sm    ? fmt::format("{} x ", gpu.sm.count)
                                 : cache.scope == CacheScope::die ? fmt::format("{} x ", gpu.dies)
                                                                  : std::string(),
                                 print_size(cache.size), cache.ways, cache.line, cache.sector, "LRU in hashed sets");
  text += cache.write_back ? "write-back" : "write-through";
  if (!cache.allocate) text += ", no write-allocate";
  if (cache.duplicated) text += fmt::format(", {} partitions that copy what they read", cache.partitions);
  if (cache.memory_side) text += ", on the memory's side";
  return text;
}

/// The least and the most of all variants.
Band interval(const std::vector<const GpuNestResult*>& nests, std::size_t boundary, double updates) {
  double low = 0;
  double high = 0;
  for (const GpuNestResult* n : nests) {
    std::uint64_t least = n->nest.counters.boundary(boundary).total();
    std::uint64_t most = least;
    for (const GpuVariant& v : n->variants)
      least = std::min(least, v.bytes[boundary]), most = std::max(most, v.bytes[boundary]);
    low += static_cast<double>(least) / updates;
    high += static_cast<double>(most) / updates;
  }
  return {low, high};
}

PartSummary part_of(const Machine& machine, const Program& program, const std::string& name,
                    const std::vector<NestWork>& nests) {
  PartSummary p;
  p.name = name;
  Counters counters(machine.gpu->caches.size(), program.regions.size());
  std::vector<const GpuNestResult*> results;
  for (const NestWork& n : nests) {
    p.work += n.result->nest.work;
    counters += n.result->nest.counters;
    results.push_back(n.result);
  }
  p.gpu = gpu_part(machine, program, nests, p.work);
  p.accesses = counters.requests();
  p.line_lookups = counters.line_lookups;
  p.roofline = p.gpu->time.roofline;
  p.ceilings = p.gpu->time.ceilings;
  const auto updates = static_cast<double>(p.work.updates);
  for (std::size_t b = 0; b < counters.flows.size(); ++b) {
    LevelSummary level;
    level.roof = p.roofline.levels[b];
    level.flow = counters.boundary(b);
    if (p.work.updates > 0) {
      level.bytes_per_update = static_cast<double>(level.flow.total()) / updates;
      if (b > 0) level.band = interval(results, b, updates);
    }
    if (b < counters.levels.size()) level.lookups = counters.levels[b];
    if (level.roof.time && p.roofline.time && p.roofline.time->value > 0)
      level.used = level.roof.time->value / p.roofline.time->value;
    p.levels.push_back(std::move(level));
  }
  for (std::size_t a = 0; a < program.regions.size(); ++a) {
    ArraySummary array{program.regions[a].name, {}};
    for (const auto& boundary : counters.flows) array.flows.push_back(boundary[a]);
    if (std::ranges::any_of(array.flows, [](const Flow& f) { return f.total() > 0; }))
      p.arrays.push_back(std::move(array));
  }
  p.lines = gpu_lines(machine, *p.gpu);
  return p;
}

}  // namespace

Summary summarize_gpu(const Machine& machine, const Kernel& kernel, const Program& program,
                      std::span<const GpuNestResult> results, const RunInfo& run) {
  const Gpu& gpu = *machine.gpu;
  Summary s;
  s.run = run;
  s.run.cores = gpu.sm.count;
  s.machine.id = machine.id;
  s.machine.name = machine.name;
  s.machine.kind = machine.kind;
  s.machine.memory = gpu.memory.name;
  s.machine.clock = machine.clock;
  for (const GpuCache& cache : gpu.caches) s.machine.caches.push_back({cache.name, described(gpu, cache)});
  s.workload = {kernel.name, kernel.parameters, kernel.schedule};
  std::vector<NestWork> nests;
  for (const GpuNestResult& r : results) {
    const auto nest = std::ranges::find(program.nests, r.nest.name, &Nest::name);
    nests.push_back({&r, gpu_time(machine, kernel, *nest, r)});
    s.run.exact = s.run.exact && !r.window;
  }
  if (nests.size() > 1) {
    for (const NestWork& n : nests) s.nests.push_back(part_of(machine, program, n.result->nest.name, {n}));
  }
  s.total = part_of(machine, program, "", nests);
  const auto slowest = std::ranges::max_element(
      nests, {}, [](const NestWork& n) { return n.time.roofline.time.value_or(Seconds(0)).value; });
  if (slowest != nests.end()) s.advice = gpu_advice({machine, program, *slowest->result, slowest->time});
  s.warnings = machine.warnings;
  for (const auto* list : {&kernel.warnings, &run.warnings})
    s.warnings.insert(s.warnings.end(), list->begin(), list->end());
  for (std::string& text : gpu_warnings(machine, *s.total.gpu)) s.warnings.push_back(std::move(text));
  s.machine.counters = profiler_names(machine);
  s.verdict = verdict_of(s);
  return s;
}

}  // namespace mansard
