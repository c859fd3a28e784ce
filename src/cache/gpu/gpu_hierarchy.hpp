// The memory hierarchy of a GPU as it is simulated: one sectored L1 for each multiprocessor, levels that several of
// them share, memory. Bytes are sectors, as the vendors' counters have them.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "cache/counters.hpp"
#include "cache/gpu/sectored_cache.hpp"
#include "stream/program.hpp"

namespace mansard {

struct GpuLevel {
  std::uint64_t bytes = 0;  ///< of one instance
  std::uint32_t ways = 16, line = 128, sector = 32;
  std::uint32_t instances = 1;   ///< unit u belongs to instance u % instances; of the first level, one a unit
  bool written_first = false;    ///< sectors that were written as a whole are the first to leave
  std::uint32_t partitions = 1;  ///< above 1: each has its share of the capacity, and copies what its units read
};

struct GpuGeometry {
  std::uint32_t units = 1;       ///< multiprocessors
  std::vector<GpuLevel> levels;  ///< from the multiprocessor outward; the first one writes through, without allocating
  std::uint32_t fetch = 64;      ///< bytes that memory reads at once
};

/// One coalesced memory instruction of a multiprocessor in terms of lines of the first level.
struct GpuLineAccess {
  std::uint64_t line;
  std::uint32_t sectors;
  std::uint64_t words;  ///< 4-byte words stored as a whole
};

class GpuHierarchy {
 public:
  /// What is written back is counted as the array's in whose region it lies.
  GpuHierarchy(const GpuGeometry& geometry, const std::vector<Region>& regions);

  /// The first level starts empty, with another size: what a new kernel finds.
  void empty_first(std::uint64_t bytes);
  /// Returns the sectors that the first level lacked.
  std::uint32_t load(std::uint32_t unit, std::uint16_t array, const GpuLineAccess& access);
  /// `streaming`: is the first to leave the caches.
  void store(std::uint32_t unit, std::uint16_t array, const GpuLineAccess& access, bool streaming);
  /// The same for a hierarchy that stands behind another one's first level: what that lacked, what it wrote through.
  void load_missed(std::uint32_t unit, std::uint16_t array, const GpuLineAccess& access);
  void store_through(std::uint32_t unit, std::uint16_t array, const GpuLineAccess& access, bool streaming);
  /// Dirty sectors go to memory.
  void drain();

  /// Flows in bytes of sectors, look-ups in sectors. Boundary 0 is left to the caller.
  [[nodiscard]] const Counters& counters() const { return counters_; }
  [[nodiscard]] std::uint64_t between_partitions() const { return between_; }  ///< bytes

 private:
  struct Level {
    GpuLevel shape;
    std::vector<SectoredCache> caches;  ///< [instance * partitions + partition]
    [[nodiscard]] std::uint64_t bytes(std::uint32_t sectors) const {
      return static_cast<std::uint64_t>(std::popcount(sectors)) * shape.sector;
    }
  };
  struct Request {
    std::uint32_t unit;
    std::uint16_t array;
  };
  /// A line of another level, or a part of it.
  struct Part {
    std::uint64_t line;
    std::uint32_t sectors;
    std::uint64_t words;
  };

  static Level level_of(const GpuLevel& shape);
  void read(std::size_t k, Request from, const Part& part);
  void write(std::size_t k, Request from, const Part& part, bool streaming);
  std::uint32_t take(std::size_t k, Request from, SectoredCache& cache, const Part& part, SectoredCache::Place& place);
  std::uint32_t fetch(std::size_t k, Request from, const Part& part, bool for_store);
  void put_out(std::size_t k, std::uint32_t unit, const SectoredVictim& victim);
  /// The same bytes in lines of the next level.
  template <class Visit>
  void in_next(std::size_t k, const Part& part, Visit&& visit) const;
  [[nodiscard]] std::uint16_t owner(std::uint64_t address) const;

  std::vector<Level> levels_;
  std::uint32_t fetch_;
  std::vector<Region> regions_;
  Counters counters_;
  std::uint64_t between_ = 0;
};

}  // namespace mansard
