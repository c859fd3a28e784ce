// One level of a GPU's hierarchy, with all its caches: plays requests and hands on what they ask of the next level.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cache/counters.hpp"
#include "cache/gpu/sector_request.hpp"
#include "stream/program.hpp"

namespace mansard {

/// What a stage counts: its own look-ups in sectors, and bytes of sectors to and from the next level, by array.
struct GpuStageCounts {
  LevelCount level;
  std::vector<Flow> flows;
  std::uint64_t between_partitions = 0;  ///< bytes
};

class GpuStage {
 public:
  GpuStage() = default;
  GpuStage(const GpuStage&) = delete;
  GpuStage& operator=(const GpuStage&) = delete;
  virtual ~GpuStage() = default;

  /// Plays requests in order; appends requests to the next level.
  virtual void play(std::span<const SectorRequest> requests, SectorTape& next, GpuStageCounts& counts) = 0;
  /// Writes dirty sectors on.
  virtual void drain(SectorTape& next, GpuStageCounts& counts) = 0;
};

struct GpuStageShape {
  GpuLevel level;
  std::optional<GpuLevel> next;  ///< none: memory
  std::uint32_t fetch = 64;      ///< bytes that memory reads at once
  std::vector<Region> regions;   ///< what is written back is counted as the array's in whose region it lies
};

/// The first level: a cache for each of `units`, which stores pass by.
std::unique_ptr<GpuStage> make_first_stage(const GpuStageShape& shape, std::uint32_t units);
/// A level behind it, which keeps what is written.
std::unique_ptr<GpuStage> make_shared_stage(const GpuStageShape& shape);

}  // namespace mansard
