// Sandy and Ivy Bridge: SIMD loads that cross a line wait for the stores before them.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "model/instructions.hpp"
#include "units/quantity.hpp"

namespace mansard {

/// Cycles of a vectorised loop whose iterations cannot overlap, because each starts with loads that cross a line and
/// wait until the iteration before has stored: from the first such load to the store, once for each SIMD register of a
/// line. Overlaps with all transfers. 0 where no load waits; latencies that the machine file lacks go to `missing`.
///
/// A load waits if it lies less than a register beside the central point, the element of its array with the place of
/// the stored one, and that is loaded too. That such loads are slow is noted with the measurements of INSPECT
/// (RRZE-HPC: "problems with splitloads and small stencils containing a central point", resolved "as of Haswell"); that
/// they serialise the iterations is how Mansard reads the times measured there (docs/validation.md), no published
/// model.
Cycles split_load_time(const Machine& machine, const VectorLoop& loop, std::vector<std::string>& missing);

}  // namespace mansard
