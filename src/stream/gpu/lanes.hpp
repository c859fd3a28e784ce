// Masks and values of the lanes of a warp.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "workload/quasi.hpp"

namespace mansard {

inline std::uint64_t bit(std::uint32_t lane) { return std::uint64_t{1} << lane; }

/// Calls visit(lane) for every lane of a mask.
template <class Visit>
void each_lane(std::uint64_t mask, Visit&& visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<std::uint32_t>(std::countr_zero(mask)));
}

/// values += coefficient * own, lane by lane. Most coefficients are sizes of elements; SIMD instructions of any machine
/// shift 64-bit numbers, but do not multiply them.
inline void add_times(Int coefficient, std::span<const Int> own, Int* values) {
  const std::size_t width = own.size();
  if (coefficient > 0 && std::has_single_bit(static_cast<std::uint64_t>(coefficient))) {
    const int shift = std::countr_zero(static_cast<std::uint64_t>(coefficient));
    for (std::size_t lane = 0; lane < width; ++lane) values[lane] += own[lane] << shift;
  } else {
    for (std::size_t lane = 0; lane < width; ++lane) values[lane] += coefficient * own[lane];
  }
}

}  // namespace mansard
