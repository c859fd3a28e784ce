// A small generator of our own, so that the same seed gives the same data with every standard library.
#pragma once

#include <cstdint>
#include <vector>

#include "units/mix.hpp"

namespace mansard {

/// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() { return mix(state_ += 0x9e3779b97f4a7c15ULL); }
  /// 0 … n-1 by rejection, without bias; n > 0.
  std::uint64_t below(std::uint64_t n) {
    const std::uint64_t rest = (0 - n) % n;  // 2^64 mod n
    std::uint64_t x = bits();
    while (x < rest) x = bits();
    return x % n;
  }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  ///< in [0, 1)

 private:
  std::uint64_t state_;
};

/// `count` different numbers of 0 … n-1 in ascending order, appended to `list`; count <= n.
void append_distinct(Random& random, std::int64_t n, std::int64_t count, std::vector<std::int32_t>& list);

}  // namespace mansard
