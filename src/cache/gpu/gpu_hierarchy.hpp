// The memory hierarchy of a GPU as it is simulated: one sectored L1 for each multiprocessor, levels that several of
// them share, memory. Bytes are sectors, as the vendors' counters have them. Counts as NaiveGpuHierarchy does.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cache/counters.hpp"
#include "cache/gpu/gpu_geometry.hpp"
#include "cache/gpu/gpu_stage.hpp"

namespace mansard {

/// Several hierarchies at once that have the first level in common: that does not depend on what is behind it.
class GpuHierarchy {
 public:
  /// Geometries that differ in the capacity behind the first level. What is written back is counted as the array's in
  /// whose region it lies.
  GpuHierarchy(std::span<const GpuGeometry> geometries, const std::vector<Region>& regions);

  /// The first level starts empty, with another size: what a new kernel finds.
  void empty_first(std::uint64_t bytes);
  void load(std::uint32_t unit, std::uint16_t array, const GpuLineAccess& access) {
    add(unit, array, access, SectorRequest::Kind::load);
  }
  /// `streaming`: is the first to leave the caches.
  void store(std::uint32_t unit, std::uint16_t array, const GpuLineAccess& access, bool streaming) {
    add(unit, array, access, streaming ? SectorRequest::Kind::streaming : SectorRequest::Kind::store);
  }
  /// Dirty sectors go to memory.
  void drain();

  /// Flows in bytes of sectors, look-ups in sectors. Boundary 0 is left to the caller.
  [[nodiscard]] Counters counters(std::size_t geometry = 0);
  [[nodiscard]] std::uint64_t between_partitions();  ///< bytes, of the first geometry
  /// To and from the first level, bytes.
  [[nodiscard]] std::uint64_t beyond_first();

 private:
  struct Stage {
    std::unique_ptr<GpuStage> stage;
    GpuStageCounts counts;
  };
  using Chain = std::vector<Stage>;  ///< [level behind the first]

  // Many enough for a stage to find what it needs in our own caches, few enough for the tape to stay there.
  static constexpr std::size_t batch = 1024;

  void add(std::uint32_t unit, std::uint16_t array, const GpuLineAccess& access, SectorRequest::Kind kind) {
    pending_.push_back({access.words, static_cast<std::uint32_t>(access.line), static_cast<std::uint16_t>(unit), array,
                        static_cast<std::uint8_t>(access.sectors), kind});
    if (pending_.size() == batch) play();
  }
  void play();
  /// Plays what the tape holds through the levels from k on.
  void play_behind(Chain& chain, std::size_t k, SectorTape& tape);

  GpuGeometry geometry_;  ///< the first one
  std::vector<Region> regions_;
  Stage first_;
  std::vector<Chain> behind_;  ///< [geometry]
  SectorTape pending_, missed_, tape_, next_;
};

}  // namespace mansard
