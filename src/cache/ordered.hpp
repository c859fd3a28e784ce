// The level of a policy that is an order of lines.
#pragma once

#include <memory>

#include "cache/level_of.hpp"
#include "cache/linked_sets.hpp"
#include "cache/ordered_sets.hpp"

namespace mansard {

/// `renews`: a use makes a line the newest (LRU), else only its insertion does (FIFO).
template <bool renews>
std::unique_ptr<Level> make_ordered_level(const LevelGeometry& geometry, std::uint32_t line_bytes) {
  // Up to some ways, searching a row beats a hash table and a list; measured with tests/bench.
  constexpr std::uint32_t most_ways_in_a_row = 64;
  if (geometry.ways > most_ways_in_a_row) return std::make_unique<LevelOf<LinkedSets<renews>>>(geometry, line_bytes);
  return std::make_unique<LevelOf<OrderedSets<renews>>>(geometry, line_bytes);
}

}  // namespace mansard
