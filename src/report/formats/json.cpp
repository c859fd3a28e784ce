// JSON, schema 1: the keys are a contract (tests/unit/report/formats_test.cpp); keys may be added; unknown is null.
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/format.hpp"

namespace mansard::formats {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json maybe(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
template <int B, int F, int C, int S>
Json maybe(const std::optional<Quantity<B, F, C, S>>& value) {
  return value ? Json(value->value) : Json(nullptr);
}

Json name_or_null(const std::string& name) { return name.empty() ? Json(nullptr) : Json(name); }

Json work_of(const PartSummary& part) {
  const Work& w = part.work;
  Json work{{"updates", w.updates}, {"flops", w.flops()}};
  work["flops_per_update"] =
      w.updates > 0 ? Json(static_cast<double>(w.flops()) / static_cast<double>(w.updates)) : Json(nullptr);
  work["operations"] = {{"add", w.add}, {"mul", w.mul},   {"fma", w.fma},
                        {"div", w.div}, {"sqrt", w.sqrt}, {"call", w.call}};
  work["accesses"] = part.accesses;
  work["line_lookups"] = part.line_lookups;
  return work;
}

Json detail_of(const Flow& f) {
  return {{"demand_fills", f.demand_fills},  {"write_allocate", f.write_allocate}, {"prefetch", f.prefetch},
          {"write_back", f.write_back},      {"clean_victims", f.clean_victims},   {"nontemporal", f.nontemporal},
          {"write_through", f.write_through}};
}

Json level_of(const LevelSummary& level) {
  Json j{{"level", level.roof.level},      {"boundary", level.roof.boundary},
         {"bytes_in", level.flow.in()},    {"bytes_out", level.flow.out()},
         {"bytes", level.flow.total()},    {"bytes_per_update", maybe(level.bytes_per_update)},
         {"detail", detail_of(level.flow)}};
  j["hits"] = level.lookups ? Json(level.lookups->hits()) : Json(nullptr);
  j["misses"] = level.lookups ? Json(level.lookups->misses()) : Json(nullptr);
  j["intensity"] = maybe(level.roof.intensity);
  j["bandwidth"] = maybe(level.roof.bandwidth);
  j["roof_flops"] = maybe(level.roof.roof);
  j["seconds"] = maybe(level.roof.time);
  j["used"] = maybe(level.used);
  if (level.band) j["band"] = {level.band->low, level.band->high};
  return j;
}

Json walk_of(const Walk& walk) {
  Json offsets = Json::array(), gaps = Json::array();
  for (const Touch& touch : walk.touches) offsets.push_back(touch.offset);
  for (const double gap : walk.gaps) gaps.push_back(std::isfinite(gap) ? Json(gap) : Json(nullptr));
  return {
      {"array", walk.array}, {"bytes_per_iteration", walk.stride}, {"offsets", offsets}, {"reuse_iterations", gaps}};
}

Json condition_of(const LayerConditionSummary& one, const PartSummary& part) {
  Json levels = Json::array();
  for (std::size_t c = 0; c < one.holds.size(); ++c) {
    Json largest = Json::object();
    for (const LayerLimit& limit : one.limits[c]) largest[limit.parameter] = maybe(limit.largest);
    levels.push_back({{"level", part.levels[c].roof.level}, {"holds", one.holds[c]}, {"largest", largest}});
  }
  return {{"reuse_iterations", one.condition.reuse}, {"needed_bytes", one.condition.needed.value}, {"levels", levels}};
}

/// The closed forms of one nest; with several nests they are told nest by nest.
Json layers_of(const PartSummary& part) {
  if (!part.layers) return nullptr;
  const LayerSummary& layers = *part.layers;
  Json walks = Json::array(), conditions = Json::array(), levels = Json::array();
  for (const Walk& walk : layers.reuse.walks) walks.push_back(walk_of(walk));
  for (const LayerConditionSummary& one : layers.conditions) conditions.push_back(condition_of(one, part));
  for (std::size_t b = 0; b < layers.bytes_per_update.size(); ++b) {
    levels.push_back({{"boundary", part.levels[b + 1].roof.boundary},
                      {"bytes_per_update", layers.bytes_per_update[b]},
                      {"at_half_capacity", layers.less[b]},
                      {"at_1.4_capacity", layers.more[b]}});
  }
  return {{"why_not", name_or_null(layers.reuse.why_not)},
          {"walks", walks},
          {"conditions", conditions},
          {"levels", levels}};
}

Json roofline_of(const PartSummary& part) {
  const Roofline& r = part.roofline;
  Json ceilings = Json::array(), cache_aware = Json::array();
  for (const Ceiling& c : part.ceilings) {
    ceilings.push_back({{"name", c.name}, {"performance_flops", maybe(c.performance)}, {"seconds", c.time.value}});
  }
  for (const CacheAwareRoof& c : part.cache_aware) {
    cache_aware.push_back({{"level", c.level}, {"bandwidth", c.bandwidth.value}, {"roof_flops", c.roof.value}});
  }
  return {
      {"peak_flops", maybe(r.peak)},
      {"performance_flops", maybe(r.performance)},
      {"bound_by", name_or_null(r.bound_by)},
      {"updates_per_second", maybe(r.updates_per_second)},
      {"seconds", maybe(r.time)},
      {"memory_mix", name_or_null(r.memory_mix)},
      {"ceilings", ceilings},
      {"cache_aware",
       {{"intensity", r.levels.empty() ? Json(nullptr) : maybe(r.levels.front().intensity)}, {"roofs", cache_aware}}}};
}

Json ecm_of(const PartSummary& part) {
  if (!part.ecm) return nullptr;
  const Ecm& e = *part.ecm;
  Json transfers = Json::array(), predictions = Json::array();
  for (std::size_t b = 0; b < e.unit.transfers.size(); ++b) {
    transfers.push_back({{"boundary", part.levels[b + 1].roof.boundary}, {"cycles", maybe(e.unit.transfers[b])}});
  }
  for (std::size_t l = 0; l < e.unit.predictions.size(); ++l) {
    predictions.push_back({{"level", part.levels[l].roof.level}, {"cycles", maybe(e.unit.predictions[l])}});
  }
  Json one_core{{"t_latency", maybe(e.unit.t_latency)},
                {"cycles", maybe(e.unit.one_core)},
                {"updates_per_second", maybe(e.one_core_rate)}};
  if (e.unit.t_wait) one_core["t_wait"] = maybe(e.unit.t_wait);
  if (e.unit.t_split_loads) one_core["t_split_loads"] = maybe(e.unit.t_split_loads);
  return {{"unit_updates", e.unit_updates},
          {"t_ol", maybe(e.unit.t_ol)},
          {"t_nol", maybe(e.unit.t_nol)},
          {"transfers", transfers},
          {"predictions", predictions},
          {"cycles", maybe(e.unit.total())},
          {"one_core", one_core},
          {"notation", e.notation},
          {"bound_by", name_or_null(e.unit.bound_by)},
          {"core_bound", name_or_null(e.unit.core_bound)},
          {"updates_per_second", maybe(e.updates_per_second)},
          {"saturation_cores", maybe(e.saturation_cores)}};
}

/// Joules.
Json energy_of(const PartSummary& part) {
  const auto joules = [](const std::optional<Joules>& e) { return e ? Json(e->value) : Json(nullptr); };
  const EnergyUse& use = *part.energy;
  Json levels = Json::array();
  for (std::size_t b = 0; b < use.boundaries.size(); ++b)
    levels.push_back({{"boundary", part.levels[b].roof.boundary}, {"joules", joules(use.boundaries[b])}});
  Json j{{"joules", joules(use.total)}, {"flops", joules(use.flops)}, {"levels", levels}};
  const bool divides = use.total && part.work.updates > 0;
  j["joules_per_update"] = divides ? Json(use.total->value / static_cast<double>(part.work.updates)) : Json(nullptr);
  return j;
}

Json arrays_of(const PartSummary& part) {
  Json arrays = Json::array();
  for (const ArraySummary& array : part.arrays) {
    Json levels = Json::array();
    for (std::size_t b = 0; b < array.flows.size(); ++b) {
      const Flow& flow = array.flows[b];
      levels.push_back({{"boundary", part.levels[b].roof.boundary},
                        {"bytes_in", flow.in()},
                        {"bytes_out", flow.out()},
                        {"detail", detail_of(flow)}});
    }
    arrays.push_back({{"name", array.name}, {"levels", levels}});
  }
  return arrays;
}

Json launch_of(const GpuNestResult& n) {
  const Occupancy& o = n.occupancy;
  Json window = nullptr;
  if (n.window) {
    window = {{"blocks", n.window->blocks},
              {"warm_blocks", n.window->warm_blocks},
              {"warm_bytes", n.window->warm_bytes},
              {"spread", n.window->spread}};
  }
  Json variants = Json::array();
  for (const GpuVariant& v : n.variants) variants.push_back({{"name", v.name}, {"bytes", v.bytes}});
  return {{"nest", n.nest.name},
          {"grid", n.grid},
          {"block", n.block},
          {"launches", n.launches},
          {"occupancy",
           {{"share", o.share},
            {"blocks_per_sm", o.blocks},
            {"warps_per_sm", o.warps},
            {"limited_by", o.limited_by},
            {"registers", o.needs.registers},
            {"registers_estimated", o.needs.registers_are_estimated},
            {"shared_bytes", o.needs.shared}}},
          {"l1_bytes", n.l1_bytes},
          {"pages_per_block", n.pages_per_block},
          {"exact_requests", n.exact_requests},
          {"window", window},
          {"variants", variants}};
}

Json gpu_of(const PartSummary& part) {
  if (!part.gpu) return nullptr;
  const GpuPart& g = *part.gpu;
  Json launches = Json::array(), coalescing = Json::array();
  for (const GpuNestResult& n : g.nests) launches.push_back(launch_of(n));
  for (const CoalescingSummary& c : g.coalescing) {
    coalescing.push_back({{"array", c.array},
                          {"loads", c.requests.loads},
                          {"stores", c.requests.stores},
                          {"load_sectors", c.requests.load_sectors},
                          {"store_sectors", c.requests.store_sectors},
                          {"sectors_per_request", maybe(c.sectors_per_request)},
                          {"sector_efficiency", maybe(c.efficiency)}});
  }
  return {{"type", g.time.type},
          {"launches", launches},
          {"warp_instructions", g.instructions},
          {"sector_bytes", g.sector},
          {"sector_efficiency", maybe(g.efficiency)},
          {"sectors_read", g.sectors_read},
          {"sectors_written", g.sectors_written},
          {"bytes_between_partitions", g.between_partitions},
          {"coalescing", coalescing},
          {"shared",
           {{"instructions", g.shared_instructions},
            {"passes", g.shared_passes},
            {"passes_without_conflicts", g.shared_least},
            {"bytes", g.shared_bytes}}},
          {"time",
           {{"seconds", maybe(g.time.roofline.time)},
            {"at_best", maybe(g.time.at_best)},
            {"compute", maybe(g.time.roofline.compute)},
            {"shared", maybe(g.time.shared)},
            {"issue", maybe(g.time.issue)},
            {"launch", maybe(g.time.launch)},
            {"waves", g.time.waves},
            {"tail", g.time.tail},
            {"concurrency", maybe(g.time.concurrency)}}}};
}

void add_levels_and_models(Json& j, const PartSummary& part) {
  j["levels"] = Json::array();
  for (const LevelSummary& level : part.levels) j["levels"].push_back(level_of(level));
  if (!part.tlb.empty()) j["tlb"] = Json::array();
  for (const TlbSummary& tlb : part.tlb)
    j["tlb"].push_back({{"level", tlb.name}, {"hits", tlb.hits}, {"misses", tlb.misses}});
  j["roofline"] = roofline_of(part);
  j["ecm"] = ecm_of(part);
  if (part.energy) j["energy"] = energy_of(part);
  j["layer_conditions"] = layers_of(part);
}

/// Several cores only.
void add_cores(Json& j, const Summary& s) {
  if (s.run.cores == 1) return;
  j["scaling"] = Json::array();
  for (const MulticorePoint& point : s.run.scaling) {
    Json levels = Json::array();
    for (std::size_t b = 0; b < point.bytes_per_update.size(); ++b) {
      levels.push_back(
          {{"boundary", s.total.levels[b].roof.boundary}, {"bytes_per_update", maybe(point.bytes_per_update[b])}});
    }
    j["scaling"].push_back({{"cores", point.cores},
                            {"updates_per_second", maybe(point.updates_per_second)},
                            {"seconds", maybe(point.time)},
                            {"bound_by", name_or_null(point.bound_by)},
                            {"bytes_per_update", maybe(point.bytes_per_update.back())},
                            {"levels", levels}});
  }
  j["sharing"] = Json::array();
  for (const ArraySharing& array : s.run.sharing) {
    j["sharing"].push_back({{"array", array.name},
                            {"invalidations", array.count.invalidations},
                            {"false_sharing", array.count.false_sharing},
                            {"true_sharing", array.count.true_sharing},
                            {"dirty_transfers", array.count.dirty_transfers}});
  }
}

/// `--format json` ends with a newline, as every text file does.
std::string text_of(const Json& j) { return j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; }

std::string render(const Summary& s, const RenderOptions& /*options*/) {
  Json j{{"mansard", s.run.version}, {"schema", 1}, {"exact", s.run.exact}};
  j["machine"] = {
      {"id", s.machine.id}, {"name", s.machine.name}, {"kind", s.machine.kind}, {"cores_used", s.run.cores}};
  Json parameters = Json::object();
  for (const auto& [name, value] : s.workload.parameters) parameters[name] = value;
  j["workload"] = {{"name", s.workload.name},
                   {"parameters", parameters},
                   {"schedule", s.workload.schedule},
                   {"start", s.run.cold ? "cold" : "warm"}};
  j["work"] = work_of(s.total);
  j["work"]["lookups"] = s.run.lookups;
  j["work"]["seconds"] = s.run.seconds.value;
  if (s.run.sample) j["work"]["sample"] = {{"one_in", s.run.sample->one_in}, {"spread", s.run.sample->spread}};
  add_levels_and_models(j, s.total);
  j["gpu"] = gpu_of(s.total);
  if (s.total.gpu) {
    j["gpu"]["counters"] = Json::object();
    for (std::size_t b = 0; b < s.machine.counters.size(); ++b)
      j["gpu"]["counters"][s.total.levels[b].roof.boundary] = name_or_null(s.machine.counters[b]);
  }
  j["nests"] = Json::array();
  for (const PartSummary& nest : s.nests) {
    Json n{{"name", nest.name}, {"work", work_of(nest)}};
    add_levels_and_models(n, nest);
    n["arrays"] = arrays_of(nest);
    if (nest.gpu) n["gpu"] = gpu_of(nest);
    j["nests"].push_back(std::move(n));
  }
  j["arrays"] = arrays_of(s.total);
  add_cores(j, s);
  j["dirty_lines_left"] = s.run.dirty_left;
  j["verdict"] = s.verdict;
  j["advice"] = s.advice;
  j["warnings"] = s.warnings;
  return text_of(j);
}

std::string render_quick(const QuickSummary& s) {
  const QuickRoofline& q = s.estimate;
  Json j{{"mansard", s.version}, {"schema", 1}};
  j["machine"] = {{"id", s.machine_id}, {"name", s.machine_name}, {"cores_used", q.cores}};
  j["work"] = {{"flops", q.flops.value}, {"bytes", q.bytes.value}, {"type", q.type}};
  j["roofline"] = {{"intensity", maybe(q.intensity)},
                   {"ridge_intensity", maybe(q.ridge)},
                   {"peak_flops", maybe(q.peak)},
                   {"bandwidth", maybe(q.bandwidth)},
                   {"memory_mix", name_or_null(q.memory_mix)},
                   {"performance_flops", maybe(q.attainable)},
                   {"bound_by", name_or_null(q.bound)},
                   {"launch_seconds", maybe(q.launch)},
                   {"seconds", maybe(q.time)}};
  for (const LevelRoof& level : q.levels) {
    j["roofline"]["levels"].push_back({{"level", level.level},
                                       {"intensity", level.intensity.value},
                                       {"bandwidth", maybe(level.bandwidth)},
                                       {"roof_flops", maybe(level.roof)}});
  }
  if (q.without_fma) j["roofline"]["no_fma_flops"] = q.without_fma->value;
  j["warnings"] = q.warnings;
  return text_of(j);
}

}  // namespace

extern const Format json;
const Format json{"json", "one JSON object, schema 1", render, render_quick};

}  // namespace mansard::formats
