#include "report/detail.hpp"

#include <fmt/format.h>

#include <array>
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

std::string part_detail(const PartSummary& part, bool one_nest) {
  return by_kind(part) + "\n" + by_array(part) + "\n" + lookups(part) + "\n" + work(part, one_nest);
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
