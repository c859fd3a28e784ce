// fuse(S1, S2, shift: 1 0): joins nests, loop by loop from the outermost in, as deep as both go. Nests that stand
// between them stay before the fused nest if the dependences allow it, else behind it. With `shift`, iteration i of the
// later one runs with iteration i + shift of the first; one number per fused loop, the outermost first, or one number
// for the outermost.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "schedule/step.hpp"

namespace mansard::steps {
namespace {

struct Request {
  std::vector<const Argument*> statements;
  std::vector<Int> shift;
  Int depth = 1000;
};

std::optional<Request> read(const StepCall& call, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.list().size();
  Request request;
  for (const Argument& argument : call.arguments) {
    constexpr Int largest = Int{1} << 40U;
    if (argument.key.empty()) {
      request.statements.push_back(&argument);
    } else if (argument.key == "shift") {
      std::istringstream numbers(argument.value);
      for (std::string number; numbers >> number;) {
        if (const auto n = read_count(number, -largest, largest, argument.value_at, diagnostics))
          request.shift.push_back(*n);
      }
    } else if (argument.key == "depth") {
      request.depth = read_count(argument.value, 1, 1000, argument.value_at, diagnostics).value_or(1);
    } else {
      diagnostics.add(argument.at, "fuse takes statements, shift and depth, as in fuse(S1, S2, shift: 1)");
    }
  }
  if (request.statements.size() < 2) diagnostics.add(call.at, "fuse needs two or more statements, as in fuse(S1, S2)");
  if (diagnostics.list().size() > before) return std::nullopt;
  return request;
}

/// The second goes into the first; `shift` from place `level` on.
void merge(Branch& first, Branch second, const Request& request, std::size_t level) {
  for (auto& [unit, value] : second.value) {
    if (level < request.shift.size()) value += Quasi(request.shift[level]);
    first.value[unit] = std::move(value);
  }
  first.parallel = first.parallel && second.parallel;
  const auto one_loop = [](const Branch& b) {
    return b.children.size() == 1 && b.children.front().kind == Branch::Kind::loop;
  };
  if (one_loop(first) && one_loop(second) && static_cast<Int>(level) + 1 < request.depth) {
    merge(first.children.front(), std::move(second.children.front()), request, level + 1);
  } else {
    for (Branch& child : second.children) first.children.push_back(std::move(child));
  }
}

/// Where the fused nest goes if others stand between the two.
enum class Place : std::uint8_t { at_second, at_first };

/// Fuses the branches that hold the two units; false if they cannot be.
bool fuse_in(std::vector<Branch>& branches, std::size_t u, std::size_t v, const Request& request, Place place,
             std::string& obstacle) {
  const auto index = [&](std::size_t unit) {
    for (std::size_t b = 0; b < branches.size(); ++b) {
      const std::vector<std::size_t> units = units_below(branches[b]);
      if (std::ranges::find(units, unit) != units.end()) return b;
    }
    return branches.size();
  };
  const std::size_t a = index(u);
  const std::size_t b = index(v);
  if (a == b) {
    if (branches[a].kind != Branch::Kind::loop) return obstacle = "they are in one loop already", false;
    if (branches[a].children.size() == 1 && branches[a].children.front().kind == Branch::Kind::unit)
      return obstacle = "they are in one loop already", false;
    return fuse_in(branches[a].children, u, v, request, place, obstacle);
  }
  if (branches[a].kind != Branch::Kind::loop || branches[b].kind != Branch::Kind::loop)
    return obstacle = "they are in one loop already, or one is in no loop", false;
  if (b < a) return obstacle = "the second stands before the first", false;
  merge(branches[a], std::move(branches[b]), request, 0);
  branches.erase(branches.begin() + static_cast<std::ptrdiff_t>(b));
  const auto first = branches.begin() + static_cast<std::ptrdiff_t>(a);
  if (place == Place::at_second) std::rotate(first, first + 1, branches.begin() + static_cast<std::ptrdiff_t>(b));
  return true;
}

std::size_t root_of(const std::vector<Branch>& roots, std::size_t unit) {
  const auto holds = [unit](const Branch& b) {
    const std::vector<std::size_t> units = units_below(b);
    return std::ranges::find(units, unit) != units.end();
  };
  return static_cast<std::size_t>(std::ranges::find_if(roots, holds) - roots.begin());
}

std::string opaque_reason(const std::vector<Branch>& branches) {
  const auto is_opaque = [](const Branch& b) { return b.kind == Branch::Kind::opaque; };
  return std::ranges::find_if(branches, is_opaque)->reason;
}

std::optional<std::size_t> find_unit(Scheduling& scheduling, const Argument& argument) {
  const auto unit = unit_of(scheduling.nests(), argument.value);
  if (unit) return unit;
  std::vector<std::string> labels;
  for (const Unit& u : scheduling.nests().units) labels.push_back(u.label);
  for (const Branch& root : scheduling.nests().roots) {
    bool inside = false;
    visit_nodes(root.nodes, [&](const Node& node) {
      const auto* s = std::get_if<Statement>(&node.is);
      inside = inside || (s != nullptr && s->label == argument.value);
    });
    if (inside) {
      scheduling.diagnostics.add(argument.at,
                                 fmt::format("the nest of {} keeps its order, since {}", argument.value, root.reason));
      return std::nullopt;
    }
  }
  scheduling.diagnostics.add({argument.at,
                              {},
                              "no statement is called '" + argument.value + "'; the statements are " + join(labels),
                              suggest(argument.value, labels)});
  return std::nullopt;
}

void apply(Scheduling& scheduling, const StepCall& call) {
  const auto request = read(call, scheduling.diagnostics);
  if (!request) return;
  for (std::size_t n = 1; n < request->statements.size(); ++n) {
    const auto u = find_unit(scheduling, *request->statements.front());
    const auto v = find_unit(scheduling, *request->statements[n]);
    if (!u || !v) return;
    const std::vector<Branch>& before = scheduling.nests().roots;
    const std::size_t from = root_of(before, *u);
    const std::size_t to = root_of(before, *v);
    std::vector<Branch> fused;
    for (const Place place : {Place::at_second, Place::at_first}) {
      std::vector<Branch> roots = before;
      std::string obstacle;
      if (!fuse_in(roots, *u, *v, *request, place, obstacle)) {
        scheduling.diagnostics.add(call.at,
                                   fmt::format("{} and {} cannot be fused: {}", request->statements.front()->value,
                                               request->statements[n]->value, obstacle));
        return;
      }
      const auto first = roots.begin() + static_cast<std::ptrdiff_t>(from);
      fused.assign(first, first + static_cast<std::ptrdiff_t>(std::max(from + 1, to) - from));
      if (std::ranges::any_of(fused, [](const Branch& r) { return r.kind == Branch::Kind::opaque; })) {
        scheduling.diagnostics.add(call.at, "a nest between them keeps its order, since " + opaque_reason(fused));
        return;
      }
      if (!scheduling.dependences().broken_by(fused, call.at)) break;
    }
    if (!scheduling.replace_roots(from, std::max(from, to) - from + 1, std::move(fused), call)) return;
  }
}

}  // namespace

extern const ScheduleStep fuse;
const ScheduleStep fuse{"fuse", "fuse(S1, S2, shift: 1 0)", "joins nests that follow each other into one", apply};

}  // namespace mansard::steps
