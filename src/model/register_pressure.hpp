// Values that an innermost loop keeps in registers, and those for which there are none.
#pragma once

#include "machine/machine.hpp"
#include "stream/program.hpp"

namespace mansard {

/// Instructions that an iteration of registers full executes more than the source says.
struct Spills {
  double loads = 0, stores = 0;
};

/// An innermost loop keeps its constants, its accumulators and the elements hoisted out of it (`before`, `after`) in
/// registers, and needs two more to compute with. Where the core has fewer, values that are only read are loaded again
/// where they are used, and after them accumulators are loaded and stored. `lanes` neighbouring elements share a
/// register where SIMD goes across the copies that unrolling made (`across`); else each element and each scalar fills
/// one. No spills where the machine file does not say how many registers there are. Approximate: what is alive within
/// an iteration only is not counted, nor are literals.
Spills spills_of(const Core& core, const StreamLoop& loop, const BodyWork& work, double lanes, bool across);

}  // namespace mansard
