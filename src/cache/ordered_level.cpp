// Compiled once for each SIMD target that Highway knows of this architecture, less some in between.
#include "cache/ordered_level.hpp"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cache/ordered_level.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cache/level_of-inl.hpp"
#include "cache/linked_sets.hpp"
#include "cache/mapped_index.hpp"
#include "cache/ordered_sets-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mansard::HWY_NAMESPACE {

template <class Entry, std::size_t most_lanes, bool one_vector>
std::unique_ptr<Level> in_rows(Renewal renewal, const LevelGeometry& geometry, std::uint32_t line_bytes) {
  if (renewal == Renewal::on_use) {
    return std::make_unique<LevelOf<OrderedSets<Entry, most_lanes, one_vector, true>>>(geometry, line_bytes);
  }
  return std::make_unique<LevelOf<OrderedSets<Entry, most_lanes, one_vector, false>>>(geometry, line_bytes);
}

std::unique_ptr<Level> make(Renewal renewal, const LevelGeometry& geometry, std::uint32_t line_bytes,
                            std::uint64_t highest_line) {
  // Up to some ways, searching a row beats a hash table and a list; measured with tests/bench.
  constexpr std::uint32_t most_ways_in_a_row = 64;
  if (MappedIndex::needed(geometry)) {
    const MappedIndex index(geometry, line_bytes);
    if (renewal == Renewal::on_use) {
      return std::make_unique<LevelOf<LinkedSets<true, MappedIndex>>>(geometry, line_bytes, index);
    }
    return std::make_unique<LevelOf<LinkedSets<false, MappedIndex>>>(geometry, line_bytes, index);
  }
  if (geometry.ways > most_ways_in_a_row) {
    if (renewal == Renewal::on_use) return std::make_unique<LevelOf<LinkedSets<true>>>(geometry, line_bytes);
    return std::make_unique<LevelOf<LinkedSets<false>>>(geometry, line_bytes);
  }
  constexpr std::uint64_t small_lines = (std::uint64_t{1} << 31U) - 2;  // (line + 1) * 2 + 1 fits into 32 bits
  if (highest_line > small_lines) {
    return geometry.ways <= hn::Lanes(hn::CappedTag<std::uint64_t, 8>())
               ? in_rows<std::uint64_t, 8, true>(renewal, geometry, line_bytes)
               : in_rows<std::uint64_t, 8, false>(renewal, geometry, line_bytes);
  }
  if (geometry.ways <= hn::Lanes(hn::CappedTag<std::uint32_t, 8>())) {
    return in_rows<std::uint32_t, 8, true>(renewal, geometry, line_bytes);
  }
  if (geometry.ways <= hn::Lanes(hn::CappedTag<std::uint32_t, 16>())) {
    return in_rows<std::uint32_t, 16, true>(renewal, geometry, line_bytes);
  }
  return in_rows<std::uint32_t, 16, false>(renewal, geometry, line_bytes);
}

}  // namespace mansard::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mansard {

HWY_EXPORT(make);

std::unique_ptr<Level> make_ordered_level(Renewal renewal, const LevelGeometry& geometry, std::uint32_t line_bytes,
                                          std::uint64_t highest_line) {
  return HWY_DYNAMIC_DISPATCH(make)(renewal, geometry, line_bytes, highest_line);
}

}  // namespace mansard
#endif
