#include "report/budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/text_table.hpp"
#include "units/print.hpp"

namespace mansard {
namespace {

std::uint64_t fills(const Flow& flow) { return flow.demand_fills + flow.write_allocate; }

std::string reference_table(const Budget& budget) {
  if (!budget.references) {
    return "  which reference fetches the lines is shown for up to 30 million accesses: try smaller parameters\n\n";
  }
  const auto updates = static_cast<double>(budget.summary.total.work.updates);
  std::vector<std::string> header{"fetched for", "by"};
  for (const BudgetBoundary& b : budget.boundaries) header.push_back(b.name + " B/update");
  TextTable table(header, 2);
  std::size_t silent = 0;
  for (const BudgetReference& r : *budget.references) {
    constexpr double shown = 0.005;
    if (std::ranges::all_of(r.bytes, [&](std::uint64_t b) { return static_cast<double>(b) < shown * updates; })) {
      ++silent;
      continue;
    }
    std::vector<std::string> cells{r.name, r.nest + " " + r.kind};
    for (const std::uint64_t bytes : r.bytes)
      cells.push_back(updates > 0 ? fmt::format("{:.2f}", static_cast<double>(bytes) / updates) : "unknown");
    table.add(std::move(cells));
  }
  std::string text = table.str();
  if (silent > 0) text += fmt::format("  for {} other references less than 0.01 B/update\n", silent);
  return text + "\n";
}

}  // namespace

BudgetItem budget_item(const std::string& array, const Flow& flow, const Flow& associative, std::uint64_t whole) {
  BudgetItem i;
  i.array = array;
  i.flow = flow;
  const std::uint64_t kept = std::min(fills(flow), fills(associative));
  i.compulsory = std::min(kept, whole);
  i.capacity = kept - i.compulsory;
  i.conflict = static_cast<std::int64_t>(fills(flow) - kept);
  if (fills(associative) > fills(flow)) {
    i.conflict = -static_cast<std::int64_t>(fills(associative) - fills(flow));
    i.capacity = fills(associative) - i.compulsory;
  }
  return i;
}

std::string budget_table(const Budget& budget) {
  const Summary& s = budget.summary;
  const auto updates = static_cast<double>(s.total.work.updates);
  const auto per_update = [updates](auto bytes) {
    return updates > 0 ? fmt::format("{:.2f}", static_cast<double>(bytes) / updates) : std::string("unknown");
  };
  std::string text = s.verdict + "\n\n";
  TextTable table({"boundary", "array", "B/update", "compulsory", "capacity", "conflict", "of it write-allocate",
                   "write-back", "victims", "nt, through"},
                  2);
  for (const BudgetBoundary& boundary : budget.boundaries) {
    for (const BudgetItem& item : boundary.items) {
      table.add({boundary.name, item.array, per_update(item.flow.total()), per_update(item.compulsory),
                 per_update(item.capacity), per_update(item.conflict), per_update(item.flow.write_allocate),
                 per_update(item.flow.write_back), per_update(item.flow.clean_victims),
                 per_update(item.flow.nontemporal + item.flow.write_through)});
    }
  }
  text += table.str();
  text +=
      "  compulsory, capacity and conflict are the fills: conflicts are what the level above fetches more than a "
      "fully\n"
      "  associative one of its size; with the bytes that go out they are the B/update\n";
  if (s.total.gpu) text += "  what several multiprocessors fetch of the same counts as capacity\n";
  text += "\n";
  if (!s.total.gpu) text += reference_table(budget);
  const LevelSummary& memory = s.total.levels.back();
  const auto number = [](const std::optional<double>& x) { return x ? print_number(*x) : std::string("unknown"); };
  std::optional<double> simulated;
  if (memory.roof.intensity) simulated = memory.roof.intensity->value;
  text += fmt::format("intensity  {} flop/B by counting every access of the text, {} flop/B simulated at {}\n",
                      number(budget.naive_intensity), number(simulated), memory.roof.boundary);
  for (const std::string& line : budget.layers) text += labelled("layers", line, 11, 120);
  for (const std::string& line : budget.causes) text += labelled("cause", line, 11, 120);
  if (!s.advice.empty()) text += labelled("advice", s.advice, 11, 120);
  for (const std::string& warning : s.warnings) text += labelled("warning", warning, 11, 120);
  return text;
}

std::string budget_json(const Budget& budget) {
  using nlohmann::ordered_json;
  const Summary& s = budget.summary;
  ordered_json boundaries = ordered_json::array();
  for (const BudgetBoundary& b : budget.boundaries) {
    ordered_json arrays = ordered_json::array();
    for (const BudgetItem& i : b.items) {
      arrays.push_back({{"name", i.array},
                        {"bytes", i.flow.total()},
                        {"compulsory", i.compulsory},
                        {"capacity", i.capacity},
                        {"conflict", i.conflict},
                        {"write_allocate", i.flow.write_allocate},
                        {"write_back", i.flow.write_back},
                        {"clean_victims", i.flow.clean_victims},
                        {"nontemporal", i.flow.nontemporal},
                        {"write_through", i.flow.write_through}});
    }
    boundaries.push_back({{"boundary", b.name}, {"arrays", std::move(arrays)}});
  }
  ordered_json references;  // null where they are not known
  for (const BudgetReference& r : budget.references.value_or(std::vector<BudgetReference>{}))
    references.push_back({{"nest", r.nest}, {"name", r.name}, {"kind", r.kind}, {"fetched", r.bytes}});
  const ordered_json root{
      {"mansard", s.run.version},
      {"schema", 1},
      {"machine", s.machine.id},
      {"workload", s.workload.name},
      {"updates", s.total.work.updates},
      {"boundaries", std::move(boundaries)},
      {"references", std::move(references)},
      {"naive_intensity", budget.naive_intensity ? ordered_json(*budget.naive_intensity) : ordered_json(nullptr)},
      {"layers", budget.layers},
      {"causes", budget.causes},
      {"warnings", s.warnings}};
  return root.dump(2) + "\n";
}

}  // namespace mansard
