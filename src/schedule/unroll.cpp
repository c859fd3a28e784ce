#include "schedule/unroll.hpp"

#include <algorithm>
#include <optional>

#include "schedule/affine/privates.hpp"
#include "schedule/congruences.hpp"
#include "schedule/rewrite.hpp"

namespace mansard {
namespace {

bool touches_array(const Value& v) { return v.op == Op::load || std::ranges::any_of(v.operands, touches_array); }

Statement* first_array_statement(std::vector<Node>& nodes) {
  for (Node& node : nodes) {
    auto* s = std::get_if<Statement>(&node.is);
    if (s != nullptr && (std::holds_alternative<Access>(s->target) || touches_array(s->value))) return s;
  }
  return nullptr;
}

/// One update per innermost iteration that executes an array statement (design, section 3), now said by the statement.
void count_by_statement(std::vector<Node>& nodes, bool innermost) {
  Statement* first = innermost ? first_array_statement(nodes) : nullptr;
  if (first != nullptr) first->updates = 1;
  for (Node& node : nodes) {
    if (auto* loop = std::get_if<Loop>(&node.is))
      count_by_statement(loop->body, std::ranges::none_of(loop->body, contains_loops));
    auto* guard = std::get_if<Guard>(&node.is);
    if (guard != nullptr) count_by_statement(guard->body, innermost && first == nullptr);
  }
}

/// The bounds of a loop of exactly `count` iterations, if that is what it has at most.
struct Full {
  Quasi start;
  Conjunction conditions;  ///< under which all iterations run; none: always
};
std::optional<Full> full(const Loop& loop) {
  const Int count = loop.unroll;
  for (const Quasi& low : loop.lower) {
    for (const Quasi& high : loop.upper) {
      const Quasi span = high - low;
      if (!span.is_constant() || span.constant != (count - 1) * loop.step) continue;
      Full result{low, {}};
      const auto require = [&result](const Quasi& q) {
        if (!q.is_constant() || q.constant < 0) result.conditions.push_back(q);
      };
      for (const Quasi& other : loop.lower) require(low - other);
      for (const Quasi& other : loop.upper) require(other - high);
      return result;
    }
  }
  return std::nullopt;
}

std::vector<Conjunction> opposite(const Conjunction& conditions) {
  std::vector<Conjunction> any;
  for (const Quasi& q : conditions) any.push_back({q * -1 + Quasi(-1)});
  return any;
}

bool uses(const Guard& guard, Slot slot) {
  return std::ranges::any_of(guard.any_of, [slot](const Conjunction& c) {
    return std::ranges::any_of(c, [slot](const Quasi& q) { return q.uses(slot); });
  });
}

/// for { if (a) X; if (not a) Y; } with an invariant condition becomes if (a) for X; if (not a) for Y: the loop inside
/// is free of conditions.
std::vector<Node> unswitch(Loop loop) {
  const auto invariant = [&](const Node& node) {
    const auto* guard = std::get_if<Guard>(&node.is);
    return guard != nullptr && !guard->ratio && guard->reads.empty() && !uses(*guard, loop.slot);
  };
  // Two guards that exclude each other: each iteration runs the same one of them.
  const bool possible = loop.body.size() == 2 && std::ranges::all_of(loop.body, invariant);
  const auto excludes = [&] {
    const auto& first = std::get<Guard>(loop.body[0].is).any_of;
    return first.size() == 1 && std::get<Guard>(loop.body[1].is).any_of == opposite(first.front());
  };
  if (!possible || !excludes()) return {{std::move(loop)}};
  std::vector<Node> result;
  for (Node& node : loop.body) {
    Guard guard = std::get<Guard>(node.is);
    Loop inside = loop;
    inside.body = std::move(guard.body);
    guard.body = unswitch(std::move(inside));
    result.push_back({std::move(guard)});
  }
  return result;
}

/// A loop marked `unroll` as copies of its body.
std::vector<Node> copies(Loop loop) {
  const auto all = loop.unroll > 1 ? full(loop) : std::nullopt;
  const auto count = static_cast<Int>(std::exchange(loop.unroll, 1));
  if (!all) return {{std::move(loop)}};
  std::vector<Node> written;
  for (Int c = 0; c < count; ++c) {
    for (Node& node : substituted(loop.body, {{loop.slot, all->start + Quasi(c * loop.step)}}))
      written.push_back(std::move(node));
  }
  if (all->conditions.empty()) return written;
  Guard complete;
  complete.any_of = {all->conditions};
  complete.body = std::move(written);
  Guard rest;
  rest.any_of = opposite(all->conditions);
  rest.body.push_back({std::move(loop)});
  std::vector<Node> result;
  result.push_back({std::move(complete)});
  result.push_back({std::move(rest)});
  return result;
}

/// From the innermost loop outwards: conditions leave a loop before it is written out.
std::vector<Node> written_out(const std::vector<Node>& nodes, bool inside_done) {
  std::vector<Node> result;
  for (const Node& node : nodes) {
    if (const auto* loop = std::get_if<Loop>(&node.is)) {
      Loop done = *loop;
      if (!inside_done) done.body = written_out(done.body, false);
      std::vector<Node> free = unswitch(std::move(done));
      const bool alone = free.size() == 1 && std::holds_alternative<Loop>(free.front().is);
      std::vector<Node> rolled = alone ? copies(std::move(std::get<Loop>(free.front().is))) : written_out(free, true);
      for (Node& n : rolled) result.push_back(std::move(n));
    } else {
      Node copy = node;
      if (auto* guard = std::get_if<Guard>(&copy.is)) guard->body = written_out(guard->body, inside_done);
      result.push_back(std::move(copy));
    }
  }
  return result;
}

}  // namespace

void count_updates_by_statement(Kernel& kernel) {
  bool named = false;
  visit_nodes(kernel.nests, [&](const Node& node) {
    const auto* loop = std::get_if<Loop>(&node.is);
    named = named || (loop != nullptr && loop->counts_updates);
  });
  if (!named && !std::exchange(kernel.updates_by_statement, true)) count_by_statement(kernel.nests, false);
}

void write_out_unrolled(Kernel& kernel) {
  count_updates_by_statement(kernel);
  kernel.nests = without_decided_conditions(written_out(kernel.nests, false));
}

}  // namespace mansard
