// unroll_jam(i:4, j:12): register blocking. The loop advances by so many iterations at once, and the copies of what is
// inside move into the innermost loop, where the register rules make identical loads one.
// D. Callahan, S. Carr, K. Kennedy, "Improving register allocation for subscripted variables", PLDI 1990.
#include <fmt/format.h>

#include <algorithm>

#include "schedule/step.hpp"

namespace mansard::steps {
namespace {

constexpr Int most_copies = 256;  // in all: more would fit into no register file

/// Puts a loop over the iterations of one block around every unit below, innermost.
void add_point_loops(Branch& branch, const Branch& copies, const std::map<std::size_t, Quasi>& value) {
  for (Branch& child : branch.children) {
    // Blocks of loops that were jammed before stay outside, so that the copies are in the order named.
    if (child.kind == Branch::Kind::loop && (child.unroll == 1 || child.children.front().kind == Branch::Kind::loop)) {
      add_point_loops(child, copies, value);
      continue;
    }
    Branch& last = child.kind == Branch::Kind::loop ? child.children.front() : child;
    const std::size_t unit = last.unit;
    Branch point = copies;
    point.value[unit] = value.at(unit);
    point.children.push_back(last);
    last = std::move(point);
  }
}

/// Scalars that iterations of the loop have to themselves: each copy needs a register for them.
std::vector<ScalarId> own_of(const Branch& loop, const AffineNests& nests) {
  std::vector<ScalarId> own;
  const std::vector<std::size_t> inside = units_below(loop);
  for (const auto& [id, loops] : nests.homes) {
    bool all = true;
    for (std::size_t u = 0; u < nests.units.size(); ++u) {
      const bool uses = std::ranges::any_of(nests.units[u].accesses,
                                            [&](const UnitAccess& a) { return a.space == scalar_space(id); });
      all = all && (!uses || std::ranges::find(inside, u) != inside.end());
    }
    if (all) own.push_back(id);
  }
  return own;
}

bool jam(Scheduling& scheduling, std::size_t r, const Argument& argument, std::uint32_t factor, const StepCall& call) {
  Branch root = scheduling.nests().roots[r];
  for (Branch* loop : loops_named(root, scheduling.nests(), argument.key)) {
    if (loop->unroll > 1) continue;
    if (loop->counts_updates) {
      scheduling.diagnostics.add(argument.at,
                                 fmt::format("loop '{}' counts the updates and cannot be unrolled", loop->name));
      return false;
    }
    const std::map<std::size_t, Quasi> plain = loop->value;
    std::optional<Int> start;
    for (const auto& [unit, value] : plain) {
      const auto range = scheduling.dependences().range_of(unit, value, argument.at);
      if (range) start = start ? std::min(*start, range->first) : range->first;
    }
    if (!start) continue;
    for (auto& [unit, value] : loop->value)
      value = floor_div(value + Quasi(-*start), static_cast<Int>(factor)) * static_cast<Int>(factor) + Quasi(*start);
    Branch copies;
    copies.name = loop->name;
    copies.at = loop->at;
    copies.unroll = factor;
    copies.start = *start;
    copies.own = own_of(*loop, scheduling.nests());
    add_point_loops(*loop, copies, plain);
  }
  return scheduling.replace_roots(r, 1, {std::move(root)}, call);
}

void apply(Scheduling& scheduling, const StepCall& call) {
  Diagnostics& diagnostics = scheduling.diagnostics;
  if (call.arguments.empty())
    diagnostics.add(call.at, "unroll_jam needs loops and factors, as in unroll_jam(i:4, j:12)");
  Int copies = 1;
  for (const Argument& argument : call.arguments) {
    if (argument.key.empty()) {
      diagnostics.add(argument.at, "expected 'loop: factor', as in unroll_jam(i:4, j:12)");
      return;
    }
    const auto factor = read_count(argument.value, 1, most_copies, argument.value_at, diagnostics);
    if (!factor) return;
    copies *= *factor;
    if (copies > most_copies) {
      diagnostics.add(argument.value_at, fmt::format("more than {} copies of the body", most_copies));
      return;
    }
    if (*factor == 1) continue;
    for (const std::size_t r : scheduling.roots_with(argument.key, argument.at)) {
      if (!jam(scheduling, r, argument, static_cast<std::uint32_t>(*factor), call)) return;
    }
  }
}

}  // namespace

extern const ScheduleStep unroll_jam;
const ScheduleStep unroll_jam{"unroll_jam", "unroll_jam(i:4, j:12)",
                              "register blocking: writes loops out and merges their bodies in the innermost loop",
                              apply};

}  // namespace mansard::steps
