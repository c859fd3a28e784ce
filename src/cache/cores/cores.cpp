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

void check_nesting(const Geometry& geometry) {
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
