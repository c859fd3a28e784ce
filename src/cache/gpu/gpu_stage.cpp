// Compiled once for each SIMD target that Highway knows of this architecture, less some in between.
#include "cache/gpu/gpu_stage.hpp"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cache/gpu/gpu_stage.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cache/gpu/gpu_stage-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mansard::HWY_NAMESPACE {

/// A row of more ways is not searched any more.
constexpr std::uint32_t most_searched = 64;

std::unique_ptr<GpuStage> make_first(const GpuStageShape& shape, std::uint32_t units) {
  if (shape.level.set_ways() > most_searched) return std::make_unique<FirstStage<LinkedSectors>>(shape, units);
  return std::make_unique<FirstStage<SectoredSets>>(shape, units);
}
std::unique_ptr<GpuStage> make_shared_level(const GpuStageShape& shape) {
  if (shape.level.set_ways() > most_searched) return std::make_unique<SharedStage<LinkedSectors>>(shape);
  return std::make_unique<SharedStage<SectoredSets>>(shape);
}

}  // namespace mansard::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mansard {

HWY_EXPORT(make_first);
HWY_EXPORT(make_shared_level);

std::unique_ptr<GpuStage> make_first_stage(const GpuStageShape& shape, std::uint32_t units) {
  return HWY_DYNAMIC_DISPATCH(make_first)(shape, units);
}
std::unique_ptr<GpuStage> make_shared_stage(const GpuStageShape& shape) {
  return HWY_DYNAMIC_DISPATCH(make_shared_level)(shape);
}

}  // namespace mansard
#endif
