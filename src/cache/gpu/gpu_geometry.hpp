// The memory hierarchy of a GPU in numbers: one sectored L1 for each multiprocessor, levels that several of them share,
// memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace mansard {

struct GpuLevel {
  std::uint64_t bytes = 0;                           ///< of one instance
  std::uint32_t ways = 16, line = 128, sector = 32;  ///< at most 8 sectors in a line
  std::uint32_t instances = 1;   ///< unit u belongs to instance u % instances; of the first level, one a unit
  bool written_first = false;    ///< sectors that were written as a whole are the first to leave
  std::uint32_t partitions = 1;  ///< above 1: each has its share of the capacity, and copies what its units read
  bool associative = false;      ///< fully: the lines of all sets are in one

  [[nodiscard]] std::uint64_t sets() const { return associative ? 1 : sets_by_ways(); }  ///< of an instance's partition
  [[nodiscard]] std::uint32_t set_ways() const {
    return associative ? static_cast<std::uint32_t>(sets_by_ways() * ways) : ways;
  }

 private:
  [[nodiscard]] std::uint64_t sets_by_ways() const {
    return std::max<std::uint64_t>(1, bytes / line / partitions / ways);
  }
};

struct GpuGeometry {
  std::uint32_t units = 1;       ///< multiprocessors
  std::vector<GpuLevel> levels;  ///< from the multiprocessor outward; the first one writes through, without allocating
  std::uint32_t fetch = 64;      ///< bytes that memory reads at once
  std::uint32_t one_in = 1;      ///< behind the first level, one of so many sets is simulated: see GpuHierarchy
};

/// What one coalesced memory instruction of a multiprocessor touches of a line of the first level.
struct GpuLineAccess {
  std::uint64_t line;
  std::uint32_t sectors;
  std::uint64_t words;  ///< 4-byte words stored as a whole
};

}  // namespace mansard
