#include "report/detail.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "report/text_table.hpp"
#include "units/print.hpp"

namespace mansard {
namespace {

using Field = std::pair<const char*, std::uint64_t Flow::*>;
constexpr std::array<Field, 7> fields{{{"demand fills", &Flow::demand_fills},
                                       {"write-allocate", &Flow::write_allocate},
                                       {"prefetch", &Flow::prefetch},
                                       {"write-back", &Flow::write_back},
                                       {"clean victims", &Flow::clean_victims},
                                       {"non-temporal", &Flow::nontemporal},
                                       {"write-through", &Flow::write_through}}};

std::string number(std::uint64_t count) { return fmt::format("{}", count); }

std::vector<std::string> row_of(std::string first, const Flow& flow) {
  std::vector<std::string> row{std::move(first)};
  for (const auto& [name, member] : fields) row.push_back(number(flow.*member));
  return row;
}

std::string by_kind(const PartSummary& part) {
  std::vector<std::string> header{"bytes"};
  for (const auto& [name, member] : fields) header.emplace_back(name);
  TextTable table(header, 1);
  for (const LevelSummary& level : part.levels) table.add(row_of(level.roof.boundary, level.flow));
  return table.str();
}

std::string by_array(const PartSummary& part) {
  std::vector<std::string> header{"bytes in / out"};
  for (const LevelSummary& level : part.levels) header.push_back(level.roof.boundary);
  TextTable table(header, 1);
  for (const ArraySummary& array : part.arrays) {
    std::vector<std::string> row{array.name};
    for (const Flow& flow : array.flows) row.push_back(fmt::format("{} / {}", flow.in(), flow.out()));
    table.add(row);
  }
  return table.str();
}

std::string lookups(const PartSummary& part) {
  TextTable table({"line look-ups", "load hits", "load misses", "store hits", "store misses"}, 1);
  for (const LevelSummary& level : part.levels) {
    if (!level.lookups) continue;
    const LevelCount& c = *level.lookups;
    table.add(
        {level.roof.level, number(c.load_hits), number(c.load_misses), number(c.store_hits), number(c.store_misses)});
  }
  return table.str();
}

std::string work(const PartSummary& part, bool one_nest) {
  const Work& w = part.work;
  std::string text = fmt::format("  operations: add {}, mul {}, fma {}, div {}, sqrt {}, calls {}\n", w.add, w.mul,
                                 w.fma, w.div, w.sqrt, w.call);
  if (!part.ecm || w.updates == 0 || !one_nest) return text;
  const double unit = part.ecm->unit_updates / static_cast<double>(w.updates);
  text += "  in the core, cycles per unit:";
  for (const CoreTerm& term : part.core.terms)
    text += fmt::format(" {} {}", term.name, print_number(term.cycles.value * unit));
  return text + "\n";
}

std::string iterations(double count) { return std::isfinite(count) ? fmt::format("{:.0f}", count) : "never"; }

std::string in_cache(const LayerConditionSummary& one, std::size_t cache) {
  std::string text = one.holds[cache] ? "holds" : "fails";
  for (const LayerLimit& limit : one.limits[cache]) {
    text += limit.largest ? fmt::format(", {} <= {}", limit.parameter, *limit.largest)
                          : fmt::format(", for no {}", limit.parameter);
  }
  return text;
}

/// Elements needed again within so many iterations are found in a cache that holds so many bytes.
std::string layer_conditions(const PartSummary& part) {
  if (!part.layers) return {};
  const LayerSummary& layers = *part.layers;
  if (!layers.reuse.why_not.empty()) return "\n  layer conditions: no closed form, " + layers.reuse.why_not + "\n";
  TextTable walks({"walk", "offsets in B: iterations to the next"}, 2);
  for (const Walk& walk : layers.reuse.walks) {
    std::string text;
    for (std::size_t n = 0; n < walk.touches.size(); ++n)
      text += fmt::format("{}{}: {}", n == 0 ? "" : ", ", walk.touches[n].offset, iterations(walk.gaps[n]));
    walks.add({walk.array, text});
  }
  std::vector<std::string> header{"layer condition"}, traffic{"closed form, B/update"};
  header.emplace_back("bytes");
  traffic.emplace_back("");
  for (std::size_t c = 0; c + 1 < part.levels.size(); ++c) header.push_back(part.levels[c].roof.level);
  TextTable table(header, 1);
  for (const LayerConditionSummary& one : layers.conditions) {
    std::vector<std::string> row{"reuse after " + iterations(one.condition.reuse) + " iterations",
                                 fmt::format("{:.0f}", one.condition.needed.value)};
    for (std::size_t c = 0; c < one.holds.size(); ++c) row.push_back(in_cache(one, c));
    table.add(row);
  }
  for (const double bytes : layers.bytes_per_update) traffic.push_back(fmt::format("{:.2f}", bytes));
  if (!layers.bytes_per_update.empty()) table.add(traffic);
  return "\n" + walks.str() + "\n" + table.str();
}

std::string part_detail(const PartSummary& part, bool one_nest) {
  return by_kind(part) + "\n" + by_array(part) + "\n" + lookups(part) + "\n" + work(part, one_nest) +
         layer_conditions(part);
}

}  // namespace

std::string print_flops(Flops flops) {
  std::string text = print(FlopsPerSecond(flops.value));
  return text.substr(0, text.find("/s"));
}

std::string detail_of(const Summary& summary) {
  std::string text =
      fmt::format("\n{} accesses ({} line look-ups in the {}) took {} look-ups and {} s\n\n", summary.total.accesses,
                  summary.total.line_lookups, summary.total.levels.front().roof.level, summary.run.lookups,
                  print_number(summary.run.seconds.value));
  text += part_detail(summary.total, summary.nests.empty());
  for (const PartSummary& nest : summary.nests)
    text += fmt::format("\nnest {}\n\n", nest.name) + part_detail(nest, true);
  return text;
}

}  // namespace mansard
