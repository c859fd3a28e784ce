// The level of a policy that is a state by way. Include it in the policy's one file.
#pragma once

#include <hwy/highway.h>

#include <memory>
#include <string>

#include "cache/level_of-inl.hpp"
#include "cache/mapped_index.hpp"
#include "cache/way_sets.hpp"

namespace mansard {

constexpr std::uint32_t most_policy_ways = 64;  ///< rows are searched

/// A level over WaySets<…, Policy>, for lines up to `highest_line`.
template <class Policy>
std::unique_ptr<Level> make_way_level(const Policy& policy, const LevelGeometry& geometry, std::uint32_t line_bytes,
                                      std::uint64_t highest_line) {
  using HWY_NAMESPACE::LevelOf;
  if (MappedIndex::needed(geometry)) {
    const MappedIndex index(geometry, line_bytes);
    return std::make_unique<LevelOf<WaySets<std::uint64_t, Policy, MappedIndex>>>(geometry, line_bytes, policy, index);
  }
  constexpr std::uint64_t small_lines = (std::uint64_t{1} << 31U) - 2;  // (line + 1) * 2 + 1 fits into 32 bits
  if (highest_line > small_lines) {
    return std::make_unique<LevelOf<WaySets<std::uint64_t, Policy>>>(geometry, line_bytes, policy);
  }
  return std::make_unique<LevelOf<WaySets<std::uint32_t, Policy>>>(geometry, line_bytes, policy);
}

/// The check that all of them need.
inline std::string check_ways(const char* policy, std::uint32_t ways) {
  if (ways <= most_policy_ways) return {};
  return std::string(policy) + " is simulated for up to 64 ways, found " + std::to_string(ways);
}

}  // namespace mansard
