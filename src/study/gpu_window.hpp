// A launch, or a window of it, through the caches of a GPU.
#pragma once

#include <optional>
#include <vector>

#include "cache/gpu/gpu_hierarchy.hpp"
#include "machine/gpu.hpp"
#include "stream/gpu/blocks.hpp"
#include "stream/gpu/requests.hpp"

namespace mansard {

/// Caches that differ from the machine's.
struct CacheChange {
  double capacity = 1;                          ///< of all behind the L1
  std::optional<std::size_t> associative = {};  ///< this one has all its lines in one set
  std::uint32_t one_in = 1;                     ///< GpuGeometry::one_in, where lines are as long in all of these caches
};

/// The hierarchy for blocks that leave so much L1.
GpuGeometry geometry_of(const Gpu& gpu, std::uint64_t l1_bytes, const CacheChange& change);

/// Bytes over the L1-L2 boundary after which the caches behind the L1 count as warm: several times what they hold, of a
/// large one on the memory's side somewhat more than once.
std::uint64_t warm_up_bytes(const Gpu& gpu);

/// What warps ask for and what several hierarchies make of it.
struct GpuCounts {
  Requests requests;
  std::vector<Counters> counters;  ///< [change]
  std::uint64_t between = 0;       ///< partitions, bytes, with the first change
  std::uint64_t blocks = 0;        ///< finished
  std::uint64_t instructions = 0;
  GpuCounts& operator-=(const GpuCounts& o);
};

/// Feeds hierarchies that differ from each other. Those with another L1 end there.
class GpuRunner {
 public:
  GpuRunner(const Program& program, const Gpu& gpu, const std::vector<CacheChange>& changes);

  /// A new launch begins: with empty L1s of this size.
  void launch(std::uint64_t l1_bytes);
  /// All blocks.
  void run(WarpCode& code, const BlockOptions& options, const Grid& grid, std::span<const Int> environment);
  void drain();

  /// Which blocks take part, over and over, and where they start.
  struct Blocks {
    std::uint64_t from, to, first;
  };
  struct Window {
    GpuCounts counts;
    std::uint64_t warm_blocks = 0, warm_bytes = 0;
    double spread = 0;
  };
  /// First until the caches have seen several times their capacity, then as long as
  /// asked for, in memory instructions.
  Window window(WarpCode& code, const BlockOptions& options, const Grid& grid, std::span<const Int> environment,
                std::uint64_t instructions, const Blocks& blocks);

  /// From here on, the machine's caches alone are simulated, which stay as they are.
  void keep_first_change();

  [[nodiscard]] GpuCounts counts();

 private:
  void access(std::uint32_t sm, const WarpAccess& access);

  const Program& program_;
  const Gpu& gpu_;
  std::vector<GpuHierarchy> hierarchies_;  ///< one for each L1
  struct Place {
    std::size_t hierarchy, geometry;
  };
  std::vector<Place> places_;  ///< [change]
  Requests requests_;
  std::uint64_t blocks_ = 0, instructions_ = 0;
};

}  // namespace mansard
