#include "workload/elaborate/ranges.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace mansard {
namespace {

/// If q contains k*inner beside -k*d*floor(inner/d), that is k*(inner mod d): takes it out.
bool take_modulo(Quasi& q, Interval& total) {
  for (std::size_t i = 0; i < q.floors.size(); ++i) {
    const Floor f = q.floors[i];
    if (f.coefficient % f.divisor != 0) continue;
    const Int k = -f.coefficient / f.divisor;
    const auto has_term = [&](const Term& t) { return q.coefficient(t.slot) == k * t.coefficient; };
    if (!f.inner.floors.empty() || f.inner.terms.empty() || !std::ranges::all_of(f.inner.terms, has_term)) continue;
    Quasi part = f.inner;
    part.floors.push_back({f.inner, f.divisor, -f.divisor});
    q += part * -k;
    (k > 0 ? total.high : total.low) += k * (f.divisor - 1);
    return true;
  }
  return false;
}

double magnitude(const Quasi& q, std::span<const Interval> ranges) {
  double sum = std::fabs(static_cast<double>(q.constant));
  for (const Term& t : q.terms) {
    const Interval r = ranges[t.slot];
    sum += std::fabs(static_cast<double>(t.coefficient)) *
           std::max(std::fabs(static_cast<double>(r.low)), std::fabs(static_cast<double>(r.high)));
  }
  for (const Floor& f : q.floors) {
    const double inner = magnitude(f.inner, ranges);
    const double outer = std::fabs(static_cast<double>(f.coefficient)) * (inner / static_cast<double>(f.divisor) + 1);
    sum += std::max(inner, outer);
  }
  return sum;
}

}  // namespace

Interval tight_range(const Quasi& q, std::span<const Interval> ranges) {
  if (q.floors.empty()) return range(q, ranges);
  Interval total{0, 0};
  Quasi rest = q;
  while (take_modulo(rest, total)) {
  }
  const Interval others = range(rest, ranges);
  const Interval whole = range(q, ranges);
  return {std::max(whole.low, others.low + total.low), std::min(whole.high, others.high + total.high)};
}

bool fits(const Quasi& q, std::span<const Interval> ranges) { return magnitude(q, ranges) < 0x1p62; }

std::vector<std::pair<Slot, Interval>> refine(const Conjunction& conditions, std::vector<Interval>& ranges) {
  std::vector<std::pair<Slot, Interval>> before;
  for (const Quasi& q : conditions) {
    if (!q.is_affine() || q.terms.size() != 1) continue;
    const auto [slot, coefficient] = q.terms[0];  // coefficient * slot + constant >= 0
    before.emplace_back(slot, ranges[slot]);
    Interval& r = ranges[slot];
    if (coefficient > 0) {
      r.low = std::max(r.low, -floor_div(q.constant, coefficient));
    } else {
      r.high = std::min(r.high, floor_div(q.constant, -coefficient));
    }
  }
  return before;
}

void restore(const std::vector<std::pair<Slot, Interval>>& before, std::vector<Interval>& ranges) {
  for (const auto& [slot, range] : std::views::reverse(before)) ranges[slot] = range;
}

}  // namespace mansard
