// The table for people: at most 120 columns, a line of verdict first.
#include <fmt/format.h>

#include "model/notation.hpp"
#include "report/describe.hpp"
#include "report/detail.hpp"
#include "report/format.hpp"
#include "report/sharing.hpp"
#include "report/text_table.hpp"
#include "units/print.hpp"

namespace mansard::formats {
namespace {

constexpr std::size_t width = 120, indent = 11;

std::string line(const std::string& label, const std::string& text) { return labelled(label, text, indent, width); }

template <class T>
std::string quantity(const std::optional<T>& value) {
  return value ? print(*value) : "unknown";
}

std::string per_update(std::uint64_t bytes, const Work& work) {
  if (work.updates == 0) return "unknown";
  return fmt::format("{:.2f}", static_cast<double>(bytes) / static_cast<double>(work.updates));
}

std::string machine_as_simulated(const Summary& s) {
  std::string start = "warm (the whole workload run once unmeasured, then measured once)";
  if (s.run.cold) start = s.run.drained ? "cold, dirty lines drained at the end" : "cold, not drained";
  const bool gpu = s.machine.kind == "gpu";
  std::string text = line("machine", fmt::format("{}, {}, {} in use: {}", s.machine.name, print(s.machine.clock),
                                                 gpu ? "multiprocessors" : "cores", s.run.cores));
  for (const CacheSummary& cache : s.machine.caches) text += line("  " + cache.name, cache.description);
  return text + line("start", start + "; GB = 10^9 B, KiB = 1024 B");
}

std::string workload_line(const Summary& s) {
  const Work& work = s.total.work;
  std::string text = s.workload.name;
  for (const auto& [name, value] : s.workload.parameters) text += fmt::format(" {}={}", name, value);
  text += fmt::format("; {} updates, {} flops", work.updates, work.flops());
  if (work.updates > 0) {
    text += fmt::format(" ({} per update)",
                        print_number(static_cast<double>(work.flops()) / static_cast<double>(work.updates)));
  }
  if (!s.workload.schedule.empty()) text += "; schedule:";
  for (const std::string& step : s.workload.schedule)
    text += " " + step + (&step == &s.workload.schedule.back() ? "" : ";");
  return line("workload", text);
}

std::string levels(const PartSummary& part) {
  TextTable table({"level", "boundary", "in B/update", "out B/update", "flop/B", "bandwidth", "roof", "used"}, 2);
  for (const LevelSummary& level : part.levels) {
    table.add({level.roof.level, level.roof.boundary, per_update(level.flow.in(), part.work),
               per_update(level.flow.out(), part.work),
               level.roof.intensity ? print_number(level.roof.intensity->value) : "-",
               level.roof.bytes > Bytes(0) ? quantity(level.roof.bandwidth) : "-",
               level.roof.bytes > Bytes(0) ? quantity(level.roof.roof) : "-",
               level.used ? fmt::format("{:.0f} %", 100 * *level.used) : "unknown"});
  }
  return table.str();
}

/// What only GPUs have to say, and what vendors call what is counted.
std::string gpu_part(const Summary& s, const PartSummary& part) {
  std::string text;
  for (const auto& [label, what] : part.lines) text += line(label, what);
  std::string counters;
  for (std::size_t b = 0; b < s.machine.counters.size(); ++b) {
    if (s.machine.counters[b].empty()) continue;
    counters +=
        fmt::format("{}{}: {}", counters.empty() ? "" : "; ", part.levels[b].roof.boundary, s.machine.counters[b]);
  }
  return counters.empty() ? text : text + line("counters", counters);
}

/// Hardware smears what the simulation steps over: traffic with half and with 1.4 times the capacities.
std::string band_line(const PartSummary& part) {
  std::string text;
  for (const LevelSummary& level : part.levels) {
    if (!level.band) continue;
    text += fmt::format("{}{} {:.2f} … {:.2f} B/update", text.empty() ? "near an edge: " : ", ", level.roof.boundary,
                        level.band->low, level.band->high);
  }
  return text.empty() ? text : line("band", text);
}

/// All lines into and out of the level above a victim cache, by where they come from and go to.
std::string victim_line(const PartSummary& part) {
  const Flow& victim = part.levels[part.levels.size() - 2].flow;
  const Flow& memory = part.levels.back().flow;
  return line("victim", fmt::format("{} B/update into and out of the level above {} = {} from it + {} from memory + {} "
                                    "clean victims + {} dirty victims",
                                    per_update(victim.total() + memory.in(), part.work),
                                    part.levels[part.levels.size() - 2].roof.level, per_update(victim.in(), part.work),
                                    per_update(memory.in(), part.work), per_update(victim.clean_victims, part.work),
                                    per_update(victim.write_back, part.work)));
}

std::string tlb_line(const PartSummary& part) {
  if (part.tlb.empty()) return {};
  std::string text;
  for (const TlbSummary& tlb : part.tlb) {
    text += fmt::format("{}{} misses {} of {} look-ups", text.empty() ? "" : "; ", tlb.name, tlb.misses,
                        tlb.hits + tlb.misses);
    if (part.work.updates > 0) {
      text += fmt::format(" ({}/update)",
                          print_number(static_cast<double>(tlb.misses) / static_cast<double>(part.work.updates)));
    }
  }
  return line("TLB", text);
}

std::string roofline_line(const PartSummary& part) {
  const Roofline& r = part.roofline;
  std::string text = fmt::format("peak {}", quantity(r.peak));
  if (r.updates_per_second) {
    text += "; " + print_rate(*r.updates_per_second);
    if (part.work.flops() > 0) text += " = " + quantity(r.performance);
    text += fmt::format(", bound by {}", r.bound_by);
  }
  if (!r.memory_mix.empty()) text += fmt::format("; memory bandwidth as measured with {}", r.memory_mix);
  return line("roofline", text + "; used: part of the binding time");
}

/// What the kernel reaches at most if only this limits it; without flops, the time that it takes.
std::string ceilings_line(const PartSummary& part) {
  std::string text;
  for (const Ceiling& c : part.ceilings) {
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", c.name, c.performance ? print(*c.performance) : print(c.time));
  }
  if (!part.cache_aware.empty()) {
    text += fmt::format("{}cache-aware roofs at {} flop/B:", text.empty() ? "" : "; ",
                        print_number(part.roofline.levels.front().intensity->value));
    for (const CacheAwareRoof& c : part.cache_aware) text += fmt::format(" {} {}", c.level, print(c.roof));
  }
  return text.empty() ? text : line("ceilings", text);
}

/// The ECM times are those of one core; the roof is that of all in use.
std::string ecm_line(const Summary& s, const PartSummary& part) {
  const std::uint32_t cores = s.machine.cores_per_domain;
  if (!part.ecm) return line("ECM", "unknown (no updates)");
  const Ecm& e = *part.ecm;
  std::string text = fmt::format("{} = {} cycles per {} updates (one line of results)", e.notation, e.predictions,
                                 print_number(e.unit_updates));
  if (e.unit.t_wait && *e.unit.t_wait > Cycles(0))
    text += fmt::format(", {} of them one core waits for its streaming stores", short_cycles(e.unit.t_wait));
  if (e.unit.one_core && e.unit.one_core > e.unit.total()) {
    const bool waits = e.unit.one_core <= e.unit.t_split_loads;
    text += fmt::format(", {} {}", short_cycles(e.unit.one_core),
                        waits ? "because loads that cross lines wait for the stores before them"
                              : "with the memory latency of one core");
  }
  if (e.one_core_rate) {
    text += "; " + print_rate(*e.one_core_rate);
    if (s.run.cores > 1) {
      text += " on one core";
    } else if (part.roofline.updates_per_second) {
      text += fmt::format(" = {:.0f} % of the {} roof", 100 * *e.one_core_rate / *part.roofline.updates_per_second,
                          part.roofline.bound_by);
    }
  }
  if (!e.unit.core_bound.empty()) text += "; in the core: " + e.unit.core_bound;
  if (e.saturation_cores && *e.saturation_cores <= cores) {
    text += fmt::format("; {} cores saturate the memory", *e.saturation_cores);
  } else if (e.saturation_cores) {
    text += fmt::format("; the {} cores of a memory domain do not saturate it", cores);
  }
  return line("ECM", text);
}

std::string energy_line(const PartSummary& part) {
  if (!part.energy || part.work.updates == 0) return {};
  const auto each = [&](const std::optional<Joules>& e) {
    constexpr double pico = 1e12;
    return e ? print_number(pico * e->value / static_cast<double>(part.work.updates)) : "unknown";
  };
  const EnergyUse& use = *part.energy;
  std::string text = fmt::format("{} = flops {}", each(use.total), each(use.flops));
  for (std::size_t b = 0; b < use.boundaries.size(); ++b)
    text += fmt::format(" + {} {}", part.levels[b].roof.boundary, each(use.boundaries[b]));
  return line("energy", text + " pJ/update; without what is drawn at rest");
}

std::string part_of(const Summary& s, const PartSummary& part) {
  if (part.gpu) return "\n" + levels(part) + roofline_line(part) + ceilings_line(part) + gpu_part(s, part);
  return "\n" + levels(part) + (s.machine.victim ? victim_line(part) : "") + band_line(part) + tlb_line(part) +
         roofline_line(part) + ceilings_line(part) + ecm_line(s, part) + energy_line(part);
}

std::string render(const Summary& s, const RenderOptions& options) {
  std::string text = labelled("", s.verdict, 0, width) + "\n" + machine_as_simulated(s) + workload_line(s);
  text += part_of(s, s.total);
  for (const PartSummary& nest : s.nests) text += "\n" + line("nest", nest.name) + part_of(s, nest).substr(1);
  if (!s.run.scaling.empty()) text += "\n" + scaling_table(s);
  if (!s.run.sharing.empty()) text += line("sharing", sharing_text(s));
  text += line("advice", s.advice);
  for (const std::string& warning : s.warnings) text += line("warning", warning);
  if (options.verbose) text += detail_of(s);
  return text;
}

/// From intensities: a line per level.
std::string render_levels(const QuickSummary& s) {
  const QuickRoofline& q = s.estimate;
  std::string text = labelled(
      "",
      fmt::format("{}: {}", s.machine_id, q.bound.empty() ? "unknown" : q.bound + "-bound, " + quantity(q.attainable)),
      0, width);
  text += "\n" + line("machine", fmt::format("{}, {} multiprocessors; GB = 10^9 B", s.machine_name, q.cores));
  for (const LevelRoof& level : q.levels) {
    text += line(level.level, fmt::format("{} flop/B x {} = {}", print_number(level.intensity.value),
                                          quantity(level.bandwidth), quantity(level.roof)));
  }
  text += line("peak", fmt::format("{}, {}; no FMA {}", quantity(q.peak), q.type, quantity(q.without_fma)));
  if (q.time) text += line("time", quantity(q.time) + (q.launch ? ", of which launch " + print(*q.launch) : ""));
  for (const std::string& warning : q.warnings) text += line("warning", warning);
  return text;
}

std::string render_quick(const QuickSummary& s) {
  const QuickRoofline& q = s.estimate;
  if (!q.levels.empty()) return render_levels(s);
  std::string text =
      labelled("",
               fmt::format("{} and {} on {}: {}", print_flops(q.flops), print(q.bytes), s.machine_id,
                           q.bound.empty() ? "unknown"
                                           : q.bound + "-bound, " + quantity(q.attainable) + ", " + quantity(q.time)),
               0, width);
  text += "\n" + line("machine", fmt::format("{}, {} {}; GB = 10^9 B", s.machine_name, q.cores,
                                             q.gpu ? "multiprocessors" : "core(s)"));
  text += line("intensity", q.intensity ? print_number(q.intensity->value) + " flop/B" : "unknown (no bytes)");
  text += line("ridge", q.ridge ? print_number(q.ridge->value) + " flop/B" : "unknown");
  text += line("peak", quantity(q.peak) + (q.peak && (q.gpu || q.type != "fp64") ? ", " + q.type : ""));
  const std::string unmeasured = q.bandwidth && q.gpu ? ", as specified" : "";
  text += line("bandwidth",
               quantity(q.bandwidth) + (q.memory_mix.empty() ? unmeasured : ", as measured with " + q.memory_mix));
  text += line("attainable", quantity(q.attainable));
  text += line("time", quantity(q.time) + (q.launch ? ", of which launch " + print(*q.launch) : ""));
  for (const std::string& warning : q.warnings) text += line("warning", warning);
  return text;
}

}  // namespace

extern const Format table;
const Format table{"table", "for people: verdict, machine as simulated, levels, models, advice", render, render_quick};

}  // namespace mansard::formats
