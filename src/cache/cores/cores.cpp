#include "cache/cores/cores.hpp"

#include "input/diagnostic.hpp"

namespace mansard {

SharingCount& SharingCount::operator+=(const SharingCount& o) {
  invalidations += o.invalidations, false_sharing += o.false_sharing;
  true_sharing += o.true_sharing, dirty_transfers += o.dirty_transfers;
  return *this;
}
SharingCount& SharingCount::operator-=(const SharingCount& o) {
  invalidations -= o.invalidations, false_sharing -= o.false_sharing;
  true_sharing -= o.true_sharing, dirty_transfers -= o.dirty_transfers;
  return *this;
}

void check_caches(const Geometry& geometry, std::uint32_t cores) {
  constexpr std::uint64_t most_lines = std::uint64_t{1} << 31U;
  std::uint64_t lines = 0;
  if (geometry.combining > 0) {
    throw InputError({"--cores"}, "write-combining buffers (memory.write_combining) are simulated for one core only");
  }
  for (const LevelGeometry& level : geometry.levels) {
    if (level.sectors > 1 || level.prefetch.any()) {
      throw InputError({"--cores"}, "sectors and prefetchers are simulated for one core only");
    }
    lines += level.sets * level.ways * ((cores + level.shared_by - 1) / level.shared_by);
  }
  if (lines > most_lines) throw InputError({"--cores"}, "the caches of all cores have more than 2^31 lines together");
  for (std::size_t k = 1; k < geometry.levels.size(); ++k) {
    const std::uint32_t inner = geometry.levels[k - 1].shared_by, outer = geometry.levels[k].shared_by;
    if (outer % inner == 0) continue;
    throw InputError({"caches"},
                     "for several cores, the caches of one level must lie within those of the next: level " +
                         std::to_string(k) + " is shared by " + std::to_string(inner) + " cores, level " +
                         std::to_string(k + 1) + " by " + std::to_string(outer));
  }
}

}  // namespace mansard
