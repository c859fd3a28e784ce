// The register rules of design section 3, as two pure steps on the lowered tree: what is known inside one iteration
// (Known), and what does not change in a loop (hoist).
#pragma once

#include <vector>

#include "stream/program.hpp"

namespace mansard {

/// Can the two accesses touch a common byte? Exact where the addresses differ by a constant, else "yes".
bool may_overlap(const StreamRef& a, const StreamRef& b);

/// The elements that are in registers at one point of an iteration.
class Known {
 public:
  [[nodiscard]] bool contains(const StreamRef& ref) const;
  void loaded(const StreamRef& ref);
  void stored(const StreamRef& ref);  ///< the element is known; others it may overlap are not any more
  void forget_overlapping(const StreamRef& store);
  void forget_slot(Slot slot);  ///< the slot gets a new value: addresses over it mean other elements
 private:
  std::vector<StreamRef> elements_;
};

/// Moves the accesses of loop-invariant elements out of the loop: the load goes to `before` (unless the element is
/// written before it is read), the store to `after`. An element stays where it is if another access of the loop may
/// overlap it and one of the two is a store, or if it is accessed only under a condition.
/// Index reads that do not change in the loop move to `before` as well.
void hoist_invariants(StreamLoop& loop);

}  // namespace mansard
