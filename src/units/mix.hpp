// The hash behind everything that is drawn: the same from run to run.
#pragma once

#include <cstdint>

namespace mansard {

/// The output function of SplitMix64: Steele, Lea, Flood, OOPSLA 2014, with the constants of Stafford's variant 13.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

}  // namespace mansard
