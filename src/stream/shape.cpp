#include "stream/shape.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace mansard {
namespace {

constexpr std::uint64_t longest_period = 64;  // iterations; a line holds at most 64 elements
constexpr std::size_t most_cuts = 64;

/// Everything below a loop that its iterations could differ in.
struct Inside {
  std::vector<const StreamLoop*> loops;  // outer before inner
  std::vector<const Quasi*> conditions;
  std::vector<const StreamRef*> refs;
  std::set<Slot> slots;  // of the loops
  bool regular = true;

  void collect(const std::vector<StreamNode>& nodes) {
    for (const StreamNode& node : nodes) {
      if (const auto* body = std::get_if<Body>(&node.is)) {
        regular = regular && body->defines.empty();
        for (const StreamRef& r : body->refs) refs.push_back(&r);
      } else if (const auto* guard = std::get_if<StreamGuard>(&node.is)) {
        regular = regular && !guard->chance;
        for (const Conjunction& c : guard->any_of) {
          for (const Quasi& q : c) conditions.push_back(&q);
        }
        collect(guard->body);
      } else {
        const auto& loop = std::get<StreamLoop>(node.is);
        loops.push_back(&loop);
        slots.insert(loop.slot);
        collect(loop.before);
        collect(loop.body);
        collect(loop.after);
      }
    }
  }
};

/// How much each slot moves from one period to the next; slots that are not named stay.
using Moves = std::vector<std::pair<Slot, Int>>;

/// By how much q moves; nullopt if that is not the same everywhere (a floor that steps unevenly).
std::optional<Int> move_of(const Quasi& q, const Moves& moves) {
  Int total = 0;
  for (const auto& [slot, distance] : moves) total += q.coefficient(slot) * distance;
  for (const Floor& f : q.floors) {
    const auto inner = move_of(f.inner, moves);
    if (!inner || *inner % f.divisor != 0) return std::nullopt;
    total += f.coefficient * (*inner / f.divisor);
  }
  return total;
}

/// One loop at one entry: values at the ends of a stretch decide what bounds and conditions are in between.
class Entry {
 public:
  Entry(const StreamLoop& loop, const Inside& inside, Int first, std::span<const Int> environment, Int line_bytes)
      : loop_(loop),
        inside_(inside),
        first_(first),
        line_(line_bytes),
        environment_(environment.begin(), environment.end()) {}

  /// Iterations before which something may flip.
  std::vector<std::uint64_t> cuts(std::uint64_t count) {
    std::set<std::uint64_t> found;
    const auto flip = [&](const Quasi& q) {
      if (uses_any(q, inside_.slots) || !q.floors.empty() || q.coefficient(loop_.slot) == 0) return;
      // q(n) = start + n * slope changes sign between two iterations.
      const Int start = value(q, 0);
      const Int slope = value(q, 1) - start;
      if (slope == 0) return;
      const Int root = floor_div(-start, slope);
      for (Int n = root; n <= root + 2; ++n) {
        if (n > 0 && static_cast<std::uint64_t>(n) < count) found.insert(static_cast<std::uint64_t>(n));
      }
    };
    for (const Quasi* q : inside_.conditions) flip(*q);
    for (const StreamLoop* l : inside_.loops) {
      for (const auto* bounds : {&l->lower, &l->upper}) {
        for (std::size_t i = 0; i < bounds->size(); ++i) {
          for (std::size_t j = 0; j < i; ++j) flip((*bounds)[i] - (*bounds)[j]);
        }
      }
    }
    if (found.size() > most_cuts) return {};
    return {found.begin(), found.end()};
  }

  /// Period and move of iterations [from, to).
  Stretch stretch(std::uint64_t from, std::uint64_t to) {
    from_ = from;
    last_ = to - 1;
    for (std::uint64_t period = 1; period <= longest_period; ++period) {
      const auto lines = moves_in(static_cast<Int>(period));
      if (lines) return {from, to, period, *lines};
      if (hopeless_) break;
    }
    return {from, to, 0, 0};
  }

 private:
  Int value(const Quasi& q, std::uint64_t n) {
    environment_[loop_.slot] = first_ + static_cast<Int>(n) * loop_.step;
    return q.at(environment_);
  }

  std::optional<Int> moves_in(Int period) {
    Moves moves{{loop_.slot, period * loop_.step}};
    for (const StreamLoop* l : inside_.loops) {
      const auto low = bound_move(l->lower, moves, true);
      const auto high = bound_move(l->upper, moves, false);
      if (!low || !high || *low != *high) return std::nullopt;
      // Loops side by side may share a slot: what it moves by must be the same in all of them.
      const auto same = std::ranges::find(moves, l->slot, &std::pair<Slot, Int>::first);
      if (same == moves.end()) {
        moves.emplace_back(l->slot, *low);
      } else if (same->second != *low) {
        return std::nullopt;
      }
    }
    for (const Quasi* q : inside_.conditions) {
      const auto move = move_of(*q, moves);
      if (move && *move == 0) continue;
      // It moves against zero, so it must be decided by this loop alone, and the same way at both ends.
      if (uses_any(*q, inside_.slots) || !q->floors.empty()) return std::nullopt;
      if ((value(*q, from_) >= 0) != (value(*q, last_) >= 0)) return std::nullopt;
    }
    std::optional<Int> bytes;
    for (const StreamRef* r : inside_.refs) {
      const auto move = move_of(r->address, moves);
      if (!move) return std::nullopt;
      // Moves are proportional to the period where they are known: if they differ now they always will.
      if (bytes && *bytes != *move) return hopeless_ = true, std::nullopt;
      bytes = move;
    }
    if (!bytes) return 0;
    return *bytes % line_ == 0 ? std::optional(*bytes / line_) : std::nullopt;
  }

  /// Of a maximum of lower bounds or minimum of upper ones.
  std::optional<Int> bound_move(const std::vector<Quasi>& bounds, const Moves& moves, bool largest) {
    const auto first = move_of(bounds.front(), moves);
    const bool alike = std::ranges::all_of(bounds, [&](const Quasi& q) { return move_of(q, moves) == first; });
    if (alike) return first;
    for (const Quasi& candidate : bounds) {
      const bool always = std::ranges::all_of(bounds, [&](const Quasi& other) {
        const Quasi difference = largest ? candidate - other : other - candidate;
        if (difference.is_constant()) return difference.constant >= 0;
        if (uses_any(difference, inside_.slots) || !difference.floors.empty()) return false;
        return value(difference, from_) >= 0 && value(difference, last_) >= 0;  // linear: in between as well
      });
      if (always) return move_of(candidate, moves);
    }
    return std::nullopt;
  }

  const StreamLoop& loop_;
  const Inside& inside_;
  Int first_, line_;
  std::vector<Int> environment_;
  std::uint64_t from_ = 0, last_ = 0;
  bool hopeless_ = false;
};

Inside inside_of(const StreamLoop& loop) {
  Inside inside;
  inside.collect(loop.body);
  return inside;
}

}  // namespace

const ShapeFinder::Known& ShapeFinder::known(const StreamLoop& loop) {
  const auto found = known_.find(&loop);
  if (found != known_.end()) return found->second;
  const Inside inside = inside_of(loop);
  const bool choices = !inside.conditions.empty() || std::ranges::any_of(inside.loops, [](const StreamLoop* l) {
    return l->lower.size() > 1 || l->upper.size() > 1;
  });
  Known known{inside.regular, choices, {0, 0, 0, 0}};
  if (inside.regular && !choices) {
    known.whole = Entry(loop, inside, 0, {}, line_bytes_).stretch(0, 1);
  }
  return known_.emplace(&loop, known).first->second;
}

std::vector<Stretch> ShapeFinder::stretches(const StreamLoop& loop, Int first, std::uint64_t count,
                                            std::span<const Int> environment) {
  const Known& loop_known = known(loop);
  if (!loop_known.regular) return {{0, count, 0, 0}};
  if (!loop_known.choices) return {{0, count, loop_known.whole.period, loop_known.whole.lines}};
  const Inside inside = inside_of(loop);
  Entry entry(loop, inside, first, environment, line_bytes_);
  std::vector<std::uint64_t> cuts = entry.cuts(count);
  cuts.push_back(count);
  std::vector<Stretch> result;
  std::uint64_t from = 0;
  for (const std::uint64_t to : cuts) {
    result.push_back(entry.stretch(from, to));
    from = to;
  }
  return result;
}

}  // namespace mansard
