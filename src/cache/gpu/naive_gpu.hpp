// The memory hierarchy of a GPU, request by request: the definition of what GpuHierarchy does fast. Read this first.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "cache/counters.hpp"
#include "cache/gpu/gpu_geometry.hpp"
#include "cache/gpu/sectored_cache.hpp"
#include "stream/program.hpp"

namespace mansard {

class NaiveGpuHierarchy {
 public:
  /// What is written back is counted as the array's in whose region it lies.
  NaiveGpuHierarchy(const GpuGeometry& geometry, const std::vector<Region>& regions);

  /// The first level starts empty, with another size: what a new kernel finds.
  void empty_first(std::uint64_t bytes);
  void load(std::uint32_t unit, std::uint16_t array, const GpuLineAccess& access);
  /// `streaming`: is the first to leave the caches.
  void store(std::uint32_t unit, std::uint16_t array, const GpuLineAccess& access, bool streaming);
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
  std::uint32_t fetch(std::size_t k, Request from, const Part& part);
  void put_out(std::size_t k, std::uint32_t unit, const SectoredVictim& victim);
  /// The same bytes in lines of the next level.
  template <class Visit>
  void in_next(std::size_t k, const Part& part, Visit&& visit) const;
  [[nodiscard]] std::uint16_t owner(std::uint64_t line, std::uint32_t bytes) const;

  std::vector<Level> levels_;
  std::uint32_t fetch_;
  std::vector<Region> regions_;
  Counters counters_;
  std::uint64_t between_ = 0;
};

}  // namespace mansard
