#include "workload/recurrence_places.hpp"

#include <limits>

namespace mansard {
namespace {

void flatten(const Quasi& q, std::vector<Int>& key) {
  key.push_back(q.constant);
  key.push_back(static_cast<Int>(q.terms.size()));
  for (const Term& term : q.terms) key.insert(key.end(), {Int{term.slot}, term.coefficient});
  key.push_back(static_cast<Int>(q.floors.size()));
  for (const Floor& floor : q.floors) {
    key.insert(key.end(), {floor.divisor, floor.coefficient});
    flatten(floor.inner, key);
  }
}

/// Far from overflow: what elaboration saturated is not compared.
bool small(Int value) {
  constexpr Int limit = Int{1} << 40;
  return -limit < value && value < limit;
}

bool floors_use(const Quasi& q, Slot slot) {
  for (const Floor& floor : q.floors) {
    if (floor.inner.uses(slot)) return true;
  }
  return false;
}

}  // namespace

Places::Places(const Loop& loop) : loop_(loop) {
  visit_nodes(loop.body, [&](const Node& node) {
    if (const auto* define = std::get_if<Define>(&node.is)) defined_.insert(define->slot);
  });
}

std::size_t Places::find(const Key& key, const Access* access) {
  const auto [entry, is_new] = index_.try_emplace(key, places_.size());
  if (is_new) places_.push_back(access);
  return entry->second;
}

std::size_t Places::of(ScalarId scalar) { return find({0, Int{scalar}}, nullptr); }

std::size_t Places::of(const Access& access) {
  Key key{1, Int{access.array}};
  for (const Quasi& subscript : access.subscripts) flatten(subscript, key);
  for (const Define& read : access.indices) {  // the table element read is part of what tells gathers apart
    key.push_back(read.table ? Int{*read.table} : -1);
    for (const Quasi& subscript : read.subscripts) flatten(subscript, key);
    defined_.insert(read.slot);
  }
  return find(key, &access);
}

bool Places::gathered(const Access& access) const {
  for (const Quasi& subscript : access.subscripts) {
    for (const Slot slot : defined_) {
      if (subscript.uses(slot)) return true;
    }
  }
  return false;
}

std::optional<std::uint32_t> Places::distance(std::size_t stored, std::size_t loaded) const {
  const Access *from = places_[stored], *to = places_[loaded];
  if (!from || !to) return stored == loaded ? std::optional(1U) : std::nullopt;
  if (from->array != to->array || from->subscripts.size() != to->subscripts.size()) return std::nullopt;
  if (gathered(*from) || gathered(*to)) return std::nullopt;

  std::optional<Int> iterations;  // agreed on by all subscripts that the loop moves
  for (std::size_t k = 0; k < to->subscripts.size(); ++k) {
    const Quasi ahead = from->subscripts[k] - to->subscripts[k];
    if (!ahead.is_constant() || floors_use(to->subscripts[k], loop_.slot)) return std::nullopt;
    const Int coefficient = to->subscripts[k].coefficient(loop_.slot);
    if (!small(ahead.constant) || !small(coefficient) || !small(loop_.step)) return std::nullopt;
    Int per_iteration = 0;
    if (__builtin_mul_overflow(coefficient, loop_.step, &per_iteration)) return std::nullopt;
    if (per_iteration == 0) {
      if (ahead.constant != 0) return std::nullopt;
      continue;
    }
    if (ahead.constant % per_iteration != 0) return std::nullopt;
    const Int after = ahead.constant / per_iteration;
    if (iterations && *iterations != after) return std::nullopt;
    iterations = after;
  }
  if (!iterations) return 1;
  if (*iterations < 1 || *iterations > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return static_cast<std::uint32_t>(*iterations);
}

}  // namespace mansard
