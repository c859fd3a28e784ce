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
///
/// Those behind the first one may be simulated in one of n sets, when all of their lines are as long: sets follow from
/// the upper bits of a hash, so that lines with a hash in the lowest n-th fill the first sets of every level and touch
/// no others. What they count differently from the same sets of the first hierarchy is taken n times, and added to what
/// that counts in whole: approximate, but no difference stays none.
class GpuHierarchy {
 public:
  /// Geometries that differ behind the first level; `one_in` is 1 of the first and one number of all others that
  /// sample. What is written back is counted as the array's in whose region it lies.
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
  /// From here on, the other geometries are not simulated.
  void keep_first_geometry();

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
  using Stages = std::vector<Stage>;  ///< [level behind the first]
  struct Chain {
    Stages stages;
    std::uint32_t one_in = 1;
  };

  // Many enough for a stage to find what it needs in our own caches, few enough for the tape to stay there.
  static constexpr std::size_t batch = 1024;

  void add(std::uint32_t unit, std::uint16_t array, const GpuLineAccess& access, SectorRequest::Kind kind) {
    pending_.push_back({access.words, static_cast<std::uint32_t>(access.line), static_cast<std::uint16_t>(unit), array,
                        static_cast<std::uint8_t>(access.sectors), kind});
    if (pending_.size() == batch) play();
  }
  void play();
  /// Plays what the tape holds through the levels from k on.
  void play_behind(Stages& stages, std::size_t k, SectorTape& tape);
  void play_behind_first(Stages& stages, std::span<const SectorRequest> requests);
  void drain(Stages& stages);
  [[nodiscard]] Counters counters_of(const Stages& stages) const;

  GpuGeometry geometry_;  ///< the first one
  std::vector<Region> regions_;
  Stage first_;
  std::vector<Chain> behind_;  ///< [geometry]
  Stages sampled_first_;       ///< the first geometry once more, in the sets that others sample; or empty
  std::uint32_t one_in_ = 1;
  SectorTape pending_, missed_, sample_, tape_, next_;
};

}  // namespace mansard
