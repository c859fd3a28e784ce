// Accesses of an unrolled body that one SIMD instruction makes.
#pragma once

#include <set>
#include <span>

#include "stream/program.hpp"

namespace mansard {

/// References that stand side by side in memory, as many as a SIMD register has lanes, are one register (superword
/// parallelism; S. Larsen, S. Amarasinghe, PLDI 2000): all those that are part of such a row.
std::set<const StreamRef*> superwords(std::span<const StreamRef> refs, double lanes);

}  // namespace mansard
