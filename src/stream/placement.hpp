// Where arrays lie in memory, and the byte address of an element.
#pragma once

#include "stream/program.hpp"

namespace mansard {

/// Array n starts at a page boundary plus n * gap, the pages of all arrays being allocated one after another: the
/// stagger keeps arrays from all beginning in the same cache set (design, "Placement"). Arrays that live in registers
/// (declared inside a loop) get an empty region.
std::vector<Region> place(const Kernel& kernel, std::uint64_t gap);

/// Flat element index of the subscripts under the array's layout and padding.
Quasi flat_index(const Array& array, const std::vector<Quasi>& subscripts);

/// Position in the array's data, which are row-major over the declared extents whatever layout and padding say.
Quasi declared_index(const Array& array, const std::vector<Quasi>& subscripts);

}  // namespace mansard
