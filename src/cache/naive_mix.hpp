// The hash of the naive twin, written down once more: docs/bytes.md, "Replacement".
#pragma once

#include <cstdint>
#include <initializer_list>

namespace mansard::naive {

/// mix(… mix(mix(first) + second) + …): SplitMix64's output function over a chain of numbers.
inline std::uint64_t hash_of(std::initializer_list<std::uint64_t> numbers) {
  std::uint64_t hash = 0;
  for (const std::uint64_t number : numbers) {
    hash += number;
    hash = (hash ^ (hash >> 30U)) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ (hash >> 27U)) * 0x94d049bb133111ebU;
    hash = hash ^ (hash >> 31U);
  }
  return hash;
}

}  // namespace mansard::naive
