// Interval analysis over slots, sharper than `range` where the sharpness matters here.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "workload/kernel.hpp"

namespace mansard {

/// As range(), but x % d is known to lie in 0 … d-1 (as x - d*floor(x/d), each part alone would be anywhere).
Interval tight_range(const Quasi& q, std::span<const Interval> ranges);

/// Calls visitor(slot) for every slot that q uses, perhaps more than once.
template <class Visitor>
void visit_slots(const Quasi& q, Visitor&& visitor) {
  for (const Term& t : q.terms) visitor(t.slot);
  for (const Floor& f : q.floors) visit_slots(f.inner, visitor);
}

/// Whether no partial sum in the evaluation of q can leave 62 bits.
bool fits(const Quasi& q, std::span<const Interval> ranges);

/// Narrows the ranges of slots by those conditions of a conjunction that bound one slot alone (`i >= 1`).
/// Returns what was there before, to be put back by `restore`.
std::vector<std::pair<Slot, Interval>> refine(const Conjunction& conditions, std::vector<Interval>& ranges);
void restore(const std::vector<std::pair<Slot, Interval>>& before, std::vector<Interval>& ranges);

}  // namespace mansard
