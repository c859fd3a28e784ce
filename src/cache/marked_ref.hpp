// A reference of a gather and the iterations in which a share of the sets has the line that it touches.
#pragma once

#include <cstdint>

#include "stream/program.hpp"

namespace mansard {

/// Of at most 64 iterations; numbers are modulo 2^64.
struct MarkedRef {
  std::uint64_t base, stride, scale;
  const std::int32_t* at;
  Int step;
  std::uint64_t kind;  ///< of its events, with their bytes
  std::uint64_t iterations = 0;

  [[nodiscard]] std::uint64_t address(std::uint64_t n) const {
    return base + n * stride + scale * static_cast<std::uint64_t>(Int{at[static_cast<Int>(n) * step]});
  }
};

/// Bit n, of `count`: `mine` has the line that iteration n touches. Bit c of `mine`: lines c modulo 64.
/// Lines have 2^shift bytes.
std::uint64_t iterations_of(std::uint64_t mine, const MarkedRef& ref, std::uint64_t count, int shift);

}  // namespace mansard
