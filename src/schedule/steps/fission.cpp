// fission(S2): what stands before S2 and what starts with it become nests of their own; fission(S2, of: j) splits loop
// j only and leaves the loops around it as they are.
#include <fmt/format.h>

#include <algorithm>

#include "schedule/step.hpp"

namespace mansard::steps {
namespace {

bool holds(const Branch& branch, std::size_t unit) {
  const std::vector<std::size_t> units = units_below(branch);
  return std::ranges::find(units, unit) != units.end();
}

void keep_values(Branch& loop) {
  const std::vector<std::size_t> units = units_below(loop);
  std::erase_if(loop.value, [&](const auto& v) { return std::ranges::find(units, v.first) == units.end(); });
}

/// Splits before the unit; the first part is empty where nothing stands before it.
std::pair<std::vector<Branch>, std::vector<Branch>> split(const Branch& branch, std::size_t unit) {
  if (branch.kind != Branch::Kind::loop) return {{}, {branch}};
  Branch before = branch;
  Branch after = branch;
  const auto place = std::ranges::find_if(branch.children, [&](const Branch& b) { return holds(b, unit); });
  const auto index = place - branch.children.begin();
  auto [head, tail] = split(*place, unit);
  before.children.resize(static_cast<std::size_t>(index));
  before.children.insert(before.children.end(), head.begin(), head.end());
  after.children.erase(after.children.begin(), after.children.begin() + index + 1);
  after.children.insert(after.children.begin(), tail.begin(), tail.end());
  keep_values(before);
  keep_values(after);
  if (before.children.empty()) return {{}, {branch}};
  return {{std::move(before)}, {std::move(after)}};
}

/// Splits the loop called `name` around the unit, in place; false if there is none, or nothing before the unit.
bool split_inside(std::vector<Branch>& branches, const std::string& name, std::size_t unit) {
  for (std::size_t b = 0; b < branches.size(); ++b) {
    if (!holds(branches[b], unit) || branches[b].kind != Branch::Kind::loop) continue;
    if (!name.empty() && branches[b].name != name) return split_inside(branches[b].children, name, unit);
    auto [head, tail] = split(branches[b], unit);
    if (head.empty()) return false;
    branches[b] = std::move(tail.front());
    branches.insert(branches.begin() + static_cast<std::ptrdiff_t>(b), std::move(head.front()));
    return true;
  }
  return false;
}

void apply(Scheduling& scheduling, const StepCall& call) {
  Diagnostics& diagnostics = scheduling.diagnostics;
  std::string loop;
  const Argument* statement = nullptr;
  for (const Argument& argument : call.arguments) {
    if (argument.key == "of") {
      loop = argument.value;
    } else if (argument.key.empty() && statement == nullptr) {
      statement = &argument;
    } else {
      return diagnostics.add(argument.at, "fission takes one statement, as in fission(S2) or fission(S2, of: j)");
    }
  }
  if (statement == nullptr)
    return diagnostics.add(call.at, "fission needs the statement that starts the second nest, as in fission(S2)");
  const auto unit = unit_of(scheduling.nests(), statement->value);
  if (!unit) {
    return diagnostics.add(statement->at, "no statement of an affine nest is called '" + statement->value + "'");
  }
  const std::string& label = scheduling.nests().units[*unit].label;
  const bool starts = label == statement->value || label.rfind(statement->value + "-", 0) == 0;
  if (!starts) return diagnostics.add(statement->at, fmt::format("{} use a scalar in common and stay together", label));
  const auto& roots = scheduling.nests().roots;
  for (std::size_t r = 0; r < roots.size(); ++r) {
    if (!holds(roots[r], *unit)) continue;
    std::vector<Branch> parts{roots[r]};
    if (!split_inside(parts, loop, *unit)) {
      return diagnostics.add(call.at, loop.empty() ? "nothing stands before " + statement->value + " in its nest"
                                                   : fmt::format("no loop '{}' is around {} and what is before it",
                                                                 loop, statement->value));
    }
    scheduling.replace_roots(r, 1, std::move(parts), call);
    return;
  }
}

}  // namespace

extern const ScheduleStep fission;
const ScheduleStep fission{"fission", "fission(S2)", "splits a nest before a statement", apply};

}  // namespace mansard::steps
