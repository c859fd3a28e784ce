// Compiled once for each SIMD target that Highway knows of this architecture, less some in between.
#include "cache/index_range.hpp"

#include <algorithm>

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cache/index_range.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mansard::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

std::pair<std::int32_t, std::int32_t> range(std::span<const std::int32_t> indices) {
  const hn::CappedTag<std::int32_t, 16> d;
  const std::size_t lanes = hn::Lanes(d);
  auto least = hn::Set(d, indices[0]), most = least;
  std::size_t n = 0;
  for (; n + lanes <= indices.size(); n += lanes) {
    const auto some = hn::LoadU(d, indices.data() + n);
    least = hn::Min(least, some);
    most = hn::Max(most, some);
  }
  std::pair all{hn::GetLane(hn::MinOfLanes(d, least)), hn::GetLane(hn::MaxOfLanes(d, most))};
  for (; n < indices.size(); ++n) all = {std::min(all.first, indices[n]), std::max(all.second, indices[n])};
  return all;
}

}  // namespace mansard::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mansard {

HWY_EXPORT(range);

std::pair<std::int32_t, std::int32_t> index_range(std::span<const std::int32_t> indices) {
  return HWY_DYNAMIC_DISPATCH(range)(indices);
}

}  // namespace mansard
#endif
