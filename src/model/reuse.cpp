#include "model/reuse.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

namespace mansard {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

struct LoopExtent {
  Slot slot;
  Int step;
  double trips;
};

/// The loops of a perfect nest, from the outermost inward, and the body inside.
struct PerfectNest {
  std::vector<LoopExtent> loops;
  const Body* body = nullptr;
  std::string why_not;
};

std::optional<Int> constant_bound(const std::vector<Quasi>& bounds, bool largest) {
  std::optional<Int> tightest;
  for (const Quasi& bound : bounds) {
    if (!bound.is_constant()) return std::nullopt;
    if (!tightest || (largest ? bound.constant > *tightest : bound.constant < *tightest)) tightest = bound.constant;
  }
  return tightest;
}

PerfectNest peel(const std::vector<StreamNode>& nodes) {
  PerfectNest nest;
  const std::vector<StreamNode>* inside = &nodes;
  while (true) {
    const StreamNode* only = nullptr;
    for (const StreamNode& node : *inside) {
      const auto* body = std::get_if<Body>(&node.is);
      if (body && body->refs.empty() && body->defines.empty()) continue;
      if (only) return {{}, nullptr, "there is more than one loop or body at the same depth"};
      only = &node;
    }
    if (!only) return {{}, nullptr, "there are no accesses"};
    if (const auto* body = std::get_if<Body>(&only->is)) {
      nest.body = body;
      return nest;
    }
    const auto* loop = std::get_if<StreamLoop>(&only->is);
    if (!loop) return {{}, nullptr, "the body depends on a condition"};
    const auto lower = constant_bound(loop->lower, true), upper = constant_bound(loop->upper, false);
    if (!lower || !upper) return {{}, nullptr, "the bounds of a loop depend on another one or on data"};
    const double trips = static_cast<double>(*upper - *lower) / static_cast<double>(std::abs(loop->step)) + 1;
    nest.loops.push_back({loop->slot, loop->step, std::max(0.0, std::floor(trips))});
    inside = &loop->body;
  }
}

/// What makes references one walk: array, kind of store, and how much each loop moves them.
using Together = std::tuple<std::uint16_t, bool, std::vector<Int>>;

/// Bytes by which one iteration of each loop moves a reference.
std::vector<Int> moves_of(const StreamRef& ref, const std::vector<LoopExtent>& loops) {
  std::vector<Int> all;
  for (const LoopExtent& loop : loops) all.push_back(ref.address.coefficient(loop.slot) * loop.step);
  return all;
}

bool in_memory_order(const std::vector<Int>& moves) {
  Int before = std::numeric_limits<Int>::max();
  for (const Int move : moves) {
    if (move == 0) continue;
    if (std::abs(move) > before) return false;
    before = std::abs(move);
  }
  return moves.back() != 0;
}

/// Iterations until a loop that does not move the walk brings it back to the same element; absent if there is none.
std::optional<double> iterations_of_return(const std::vector<Int>& moves, const std::vector<LoopExtent>& loops) {
  double inside = 1;
  for (std::size_t l = loops.size(); l-- > 0;) {
    if (moves[l] == 0) return inside;
    inside *= loops[l].trips;
  }
  return std::nullopt;
}

/// Bytes from the first to the last element that a walk touches at one offset.
Int extent_of(const std::vector<Int>& moves, const std::vector<LoopExtent>& loops) {
  Int extent = 0;
  for (std::size_t l = 0; l < loops.size(); ++l) {
    extent += std::abs(moves[l]) * static_cast<Int>(std::max(0.0, loops[l].trips - 1));
  }
  return extent;
}

/// Iterations from one touch to the next; the last gap leads back to the element.
std::vector<double> gaps_of(const std::vector<Touch>& touches, double innermost, double returns) {
  std::vector<double> gaps;
  double span = 0;
  for (std::size_t n = 1; n < touches.size(); ++n) {
    gaps.push_back(static_cast<double>(std::abs(touches[n].offset - touches[n - 1].offset)) / innermost);
    span += gaps.back();
  }
  gaps.push_back(std::max(0.0, returns - span));
  return gaps;
}

}  // namespace

NestReuse reuse_of(const Nest& nest, const std::vector<Region>& regions, std::uint32_t line_bytes, bool repeated) {
  const PerfectNest peeled = peel(nest.nodes);
  if (!peeled.body) return {peeled.why_not, 0, {}};
  if (peeled.loops.empty()) return {"there is no loop", 0, {}};
  if (!peeled.body->defines.empty()) return {"subscripts are read from data", 0, {}};

  std::map<Together, std::map<Int, Touch>> walks;
  for (const StreamRef& ref : peeled.body->refs) {
    if (!ref.address.is_affine()) return {"a subscript is not affine", 0, {}};
    const std::vector<Int> moves = moves_of(ref, peeled.loops);
    if (!in_memory_order(moves)) return {regions[ref.array].name + " is not walked in the order of its memory", 0, {}};
    Touch& touch = walks[{ref.array, ref.kind == Kind::nontemporal, moves}][ref.address.constant];
    touch.offset = ref.address.constant - static_cast<Int>(regions[ref.array].start);
    (ref.kind == Kind::load ? touch.loads : touch.stores) = true;
  }

  NestReuse reuse{{}, peeled.body->work.updates, {}};
  for (const auto& [together, touches] : walks) {
    const auto& [array, nontemporal, moves] = together;
    const Int innermost = std::abs(moves.back()), extent = extent_of(moves, peeled.loops);
    std::vector<Touch> ordered;
    for (const auto& [offset, touch] : touches) ordered.push_back(touch);
    if (moves.back() > 0) std::reverse(ordered.begin(), ordered.end());  // the one ahead comes first
    for (std::size_t from = 0, to = 0; from < ordered.size(); from = to) {
      for (to = from + 1; to < ordered.size(); ++to) {  // what lies farther apart than the walk is long never meets
        if (std::abs(ordered[to].offset - ordered[to - 1].offset) > extent) break;
      }
      Walk walk{regions[array].name, static_cast<double>(std::min<Int>(innermost, line_bytes)), nontemporal, {}, {}};
      walk.touches.assign(ordered.begin() + static_cast<std::ptrdiff_t>(from),
                          ordered.begin() + static_cast<std::ptrdiff_t>(to));
      const Int span = std::abs(walk.touches.back().offset - walk.touches.front().offset);
      const double again = repeated ? static_cast<double>(extent + span) / static_cast<double>(innermost) + 1 : never;
      walk.gaps = gaps_of(walk.touches, static_cast<double>(innermost),
                          iterations_of_return(moves, peeled.loops).value_or(again));
      reuse.walks.push_back(std::move(walk));
    }
  }
  return reuse;
}

}  // namespace mansard
