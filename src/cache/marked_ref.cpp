// Compiled once for each SIMD target that Highway knows of this architecture, less some in between.
#include "cache/marked_ref.hpp"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cache/marked_ref.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mansard::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::uint64_t word = 64;

/// A vector of iterations at a time. Which of 64 classes a line is in is decided by few bits of its address, so that
/// 32 of them will do.
std::uint64_t marks(std::uint64_t mine, const MarkedRef& ref, std::uint64_t count, int shift) {
  using Lane = std::uint32_t;
  const hn::CappedTag<Lane, 16> d;
  const hn::Rebind<std::int32_t, decltype(d)> index;
  const std::size_t lanes = hn::Lanes(d);
  std::uint64_t all = 0, n = 0;
  if (ref.step == 1 && shift + 6 <= 32) {
    const auto low = hn::Set(d, static_cast<Lane>(mine)), high = hn::Set(d, static_cast<Lane>(mine >> 32U));
    const auto scale = hn::Set(d, static_cast<Lane>(ref.scale)), last_of_half = hn::Set(d, 31);
    const auto one = hn::Set(d, 1), step = hn::Set(d, static_cast<Lane>(ref.stride * lanes));
    auto start = hn::Add(hn::Set(d, static_cast<Lane>(ref.base)),
                         hn::Mul(hn::Iota(d, 0), hn::Set(d, static_cast<Lane>(ref.stride))));
    for (; n + lanes <= count; n += lanes) {
      const auto at = hn::BitCast(d, hn::LoadU(index, ref.at + n));
      const auto address = hn::Add(start, hn::Mul(at, scale));
      const auto line = hn::And(hn::ShiftRightSame(address, shift), hn::Set(d, word - 1));
      const auto half = hn::IfThenElse(hn::Gt(line, last_of_half), high, low);
      const auto has = hn::Eq(hn::And(hn::Shr(half, hn::And(line, last_of_half)), one), one);
      std::uint8_t bits[8] = {};  // a bit a lane, of 16 at most
      hn::StoreMaskBits(d, has, bits);
      all |= (bits[0] | std::uint64_t{bits[1]} << 8U) << n;
      start = hn::Add(start, step);
    }
  }
  for (; n < count; ++n) all |= (mine >> (ref.address(n) >> shift & (word - 1)) & 1U) << n;
  return all;
}

}  // namespace mansard::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mansard {

HWY_EXPORT(marks);

std::uint64_t iterations_of(std::uint64_t mine, const MarkedRef& ref, std::uint64_t count, int shift) {
  return HWY_DYNAMIC_DISPATCH(marks)(mine, ref, count, shift);
}

}  // namespace mansard
#endif
