// The replacement policies of the naive twin that are not an order of lines, written down as their papers say it.
#pragma once

#include <cstdint>
#include <memory>

#include "cache/geometry.hpp"

namespace mansard::naive {

/// What a policy remembers of every set. Ways are numbered from the left.
class WayPolicy {
 public:
  virtual ~WayPolicy() = default;
  virtual void used(std::uint64_t set, std::size_t way) = 0;
  /// The way for a line that comes in: `first` and `last` are the leftmost and the rightmost empty one, both the number
  /// of ways if the set is full.
  virtual std::size_t choose(std::uint64_t set, std::size_t first, std::size_t last) = 0;
  virtual void came_in(std::uint64_t set, std::size_t way) = 0;  ///< after that
  virtual void left(std::uint64_t set, std::size_t way) = 0;     ///< the way is empty now
};

/// Null for lru and fifo, which are orders of lines. std::invalid_argument if there is no twin of the policy.
std::unique_ptr<WayPolicy> make_way_policy(const LevelGeometry& level);

}  // namespace mansard::naive
