// The counters of one stage in flat arrays: what is copied, compared and multiplied at every iteration of a loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cache/counters.hpp"

namespace mansard {

struct Counts {
  std::uint64_t loads = 0, stores = 0, nontemporal_stores = 0, line_lookups = 0;
  std::vector<LevelCount> levels;  ///< [cache]
  std::vector<Flow> flows;         ///< [boundary * columns + column]

  Counts(std::size_t caches, std::size_t columns) : levels(caches), flows((caches + 1) * columns) {}

  /// *this += (*this - before) * times
  void repeat_since(const Counts& before, std::uint64_t times);
  /// *this - before, into `difference` (of the same size).
  void since(const Counts& before, Counts& difference) const;
  /// With `groups` columns an array; adds up the bytes of each group in counters.samples if there are several.
  void add_to(Counters& counters, std::size_t groups) const;
  friend bool operator==(const Counts&, const Counts&) = default;
};

}  // namespace mansard
