// What differs from lane to lane of a warp: values, and which lanes a condition lets through.
#include <algorithm>

#include "stream/gpu/lanes.hpp"
#include "stream/gpu/warp.hpp"

namespace mansard {

void Warp::evaluate(const Quasi& q, Lanes& values) const {
  Int uniform = q.constant;
  for (const Term& t : q.terms) {
    if (code_.per_lane_[t.slot] == 0) uniform += t.coefficient * environment_[t.slot];
  }
  std::fill_n(values.begin(), code_.width_, uniform);
  for (const Term& t : q.terms) {
    if (code_.per_lane_[t.slot] != 0) add_times(t.coefficient, lanes_[t.slot], values.data());
  }
  for (const Floor& f : q.floors) add_floor(f, values);
}

void Warp::add_floor(const Floor& floor, Lanes& values) const {
  const auto is_own = [this](const Term& t) { return code_.per_lane_[t.slot] != 0; };
  if (floor.inner.floors.empty() && std::ranges::none_of(floor.inner.terms, is_own)) {
    const Int everywhere = floor.coefficient * floor_div(floor.inner.at(environment_), floor.divisor);
    for (std::size_t lane = 0; lane < code_.width_; ++lane) values[lane] += everywhere;
    return;
  }
  Lanes inner;
  evaluate(floor.inner, inner);
  // Lanes are close to each other: most lie on the same step or the next one.
  const Int first = floor_div(inner[0], floor.divisor);
  const Int from = first * floor.divisor;
  for (std::size_t lane = 0; lane < code_.width_; ++lane) {
    const Int above = inner[lane] - from;
    const bool near = above >= 0 && above < 2 * floor.divisor;
    const Int step = near ? first + (above >= floor.divisor ? 1 : 0) : floor_div(inner[lane], floor.divisor);
    values[lane] += floor.coefficient * step;
  }
}

void Warp::define(const StreamDefine& d) {
  if (!code_.lane_slot_[d.slot]) {
    environment_[d.slot] = defined_value(code_.program_, d, d.at.at(environment_));
    return;
  }
  std::vector<Int>& values = lanes_[d.slot];
  values.resize(code_.width_);
  Lanes at;
  evaluate(d.at, at);
  if (!d.table) return static_cast<void>(std::copy_n(at.begin(), code_.width_, values.begin()));
  const auto& table = *code_.program_.tables[*d.table];
  each_lane(mask_, [&](std::uint32_t lane) {
    const auto element = static_cast<std::uint64_t>(at[lane]);
    values[lane] =
        element < table.size() ? table[element] : defined_value(code_.program_, d, at[lane]);  // which throws
  });
}

/// Active lanes that a guard lets through.
std::uint64_t Warp::inside(const StreamGuard& guard) {
  std::uint64_t result = 0;
  if (guard.chance && guard.chance->ratio >= 1) return guard.chance->negated ? 0 : mask_;
  if (guard.chance) {
    scratch_ = environment_;
    each_lane(mask_, [&](std::uint32_t lane) {
      for (const Slot s : guard.chance->over) {
        if (code_.per_lane_[s] != 0) scratch_[s] = lanes_[s][lane];
      }
      if (taken(*guard.chance, scratch_, code_.program_.seed)) result |= bit(lane);
    });
    return result;
  }
  Lanes values;
  for (const Conjunction& conjunction : guard.any_of) {
    std::uint64_t all = mask_ & ~result;
    for (const Quasi& q : conjunction) {
      if (all == 0) break;
      evaluate(q, values);
      each_lane(all, [&](std::uint32_t lane) {
        if (values[lane] < 0) all &= ~bit(lane);
      });
    }
    result |= all;
  }
  return result;
}

}  // namespace mansard
