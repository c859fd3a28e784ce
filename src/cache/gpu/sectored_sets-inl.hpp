// Sets of lines whose sectors are valid or dirty each, searched with SIMD. (Compiled once per SIMD target, Highway's
// idiom: see gpu_stage.cpp.)
#if defined(MANSARD_CACHE_GPU_SECTORED_SETS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef MANSARD_CACHE_GPU_SECTORED_SETS_INL
#undef MANSARD_CACHE_GPU_SECTORED_SETS_INL
#else
#define MANSARD_CACHE_GPU_SECTORED_SETS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "cache/gpu/sector_words.hpp"

HWY_BEFORE_NAMESPACE();
namespace mansard::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A set is a row of one piece of memory, which all zero is empty: `width` times line + 1, then their order of
/// replacement, then their sectors, valid ones in the low byte and dirty ones in the high one. Order: 0 is an empty
/// way; lines that leave before others count from 1, the oldest of them, to at most ways; lines that were used count
/// down from 2 * ways, the last one used, in a set full of them to ways + 1. `width` is ways rounded up to whole
/// vectors; ways that do not exist stay 0, behind all others.
class SectoredSets {
 public:
  using Row = std::size_t;
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// `words`: 4-byte words of a sector.
  SectoredSets(std::uint64_t rows, std::uint32_t ways, std::uint32_t words)
      : rows_(rows),
        ways_(ways),
        width_((ways + step - 1) / step * step),
        used_above_(static_cast<std::int16_t>(ways)),
        newest_(static_cast<std::int16_t>(2 * ways)),
        words_(words) {
    row_bytes_ = std::size_t{width_} * (sizeof(std::uint32_t) + 2 * sizeof(std::uint16_t));
    memory_.reset(std::calloc(rows * row_bytes_ + alignment, 1));
    written_.reset(static_cast<std::uint64_t*>(std::calloc(rows * width_, sizeof(std::uint64_t))));
    if (!memory_ || !written_) throw std::bad_alloc();
    const auto start = reinterpret_cast<std::uintptr_t>(memory_.get());
    base_ = reinterpret_cast<unsigned char*>((start / alignment + 1) * alignment);
  }

  HWY_INLINE void prefetch(Row row) const {
    const unsigned char* at = base_ + row * row_bytes_;
    for (std::size_t b = 0; b < row_bytes_; b += alignment) __builtin_prefetch(at + b, 1);
  }

  /// The same for a store, which may keep words as well.
  HWY_INLINE void prefetch_for_store(Row row, unsigned sectors, std::uint64_t words) const {
    prefetch(row);
    if (words_.complete(sectors, words) == sectors) return;
    const std::uint64_t* at = written_.get() + row * width_;
    for (std::size_t w = 0; w < width_; w += alignment / sizeof(std::uint64_t)) __builtin_prefetch(at + w, 1);
  }

  /// The way of a line, or none.
  [[nodiscard]] HWY_INLINE std::uint32_t find(Row row, std::uint32_t line) const {
    const Lines d;
    const std::uint32_t* lines = lines_of(row);
    const auto wanted = hn::Set(d, line + 1);
    for (std::uint32_t w = 0; w < width_; w += static_cast<std::uint32_t>(hn::Lanes(d))) {
      const std::intptr_t lane = hn::FindFirstTrue(d, hn::Eq(hn::Load(d, lines + w), wanted));
      if (lane >= 0) return existing(w + static_cast<std::uint32_t>(lane));
    }
    return none;
  }

  /// A line that is not there takes a way, with no sectors; its place in the order is still to be said.
  HWY_INLINE void replace(Row row, std::uint32_t way, std::uint32_t line) {
    lines_of(row)[way] = line + 1;
    state_of(row)[way] = 0;
  }

  /// The next to leave: an empty way, the oldest of the lines that go before others, or the one used longest ago.
  [[nodiscard]] HWY_INLINE std::uint32_t next_to_leave(Row row) const {
    if (order_of(row)[ways_ - 1] == 0) return first_of(row, 0);  // the last way is taken last
    if (some_leave_early_) {
      const std::uint32_t way = first_of(row, 1);
      if (way != none) return way;
    }
    return first_of(row, static_cast<std::int16_t>(used_above_ + 1));
  }

  HWY_INLINE void use(Row row, std::uint32_t way) {
    std::int16_t* order = order_of(row);
    const std::int16_t own = order[way];
    if (own == newest_) return;
    const Orders d;
    const auto above = hn::Set(d, own == 0 ? used_above_ : own);
    each_order(order, way, newest_, [&](auto o) { return hn::Add(o, hn::VecFromMask(d, hn::Gt(o, above))); });
  }
  /// The line leaves before those that were used, but after empty ways were taken.
  HWY_INLINE void leave_early(Row row, std::uint32_t way) {
    some_leave_early_ = true;
    std::int16_t* order = order_of(row);
    const std::int16_t own = order[way];
    const Orders d;
    const auto zero = hn::Zero(d);
    const auto used_above = hn::Set(d, used_above_);
    const auto is_early = [&](auto o) { return hn::AndNot(hn::Gt(o, used_above), hn::Gt(o, zero)); };
    std::size_t early = 0;
    for (std::uint32_t w = 0; w < width_; w += static_cast<std::uint32_t>(hn::Lanes(d)))
      early += hn::CountTrue(d, is_early(hn::Load(d, order + w)));
    const auto was = hn::Set(d, own);
    if (own > 0 && own <= used_above_) {  // those that came after it move up
      each_order(order, way, static_cast<std::int16_t>(early),
                 [&](auto o) { return hn::Add(o, hn::VecFromMask(d, hn::And(is_early(o), hn::Gt(o, was)))); });
    } else {  // those used before it take its place; there are none below an empty way
      each_order(order, way, static_cast<std::int16_t>(early + 1), [&](auto o) {
        return hn::Sub(o, hn::VecFromMask(d, hn::And(hn::Gt(o, used_above), hn::Lt(o, was))));
      });
    }
  }

  [[nodiscard]] std::uint32_t line(Row row, std::uint32_t way) const { return lines_of(row)[way] - 1; }
  [[nodiscard]] unsigned valid(Row row, std::uint32_t way) const { return state_of(row)[way] & 0xffU; }
  [[nodiscard]] unsigned dirty(Row row, std::uint32_t way) const { return state_of(row)[way] >> 8U; }
  void fill(Row row, std::uint32_t way, unsigned sectors) { set_state(row, way, state_of(row)[way] | sectors); }
  void drop(Row row, std::uint32_t way, unsigned sectors) { set_state(row, way, state_of(row)[way] & ~sectors); }
  void clean(Row row, std::uint32_t way) { set_state(row, way, valid(row, way)); }

  /// Words of sectors are written; those that are complete become valid.
  HWY_INLINE void write(Row row, std::uint32_t way, unsigned sectors, std::uint64_t words) {
    unsigned complete = words_.complete(sectors, words);
    const unsigned in_part = sectors & ~complete & ~valid(row, way);
    if (in_part != 0) complete |= words_.add(written_.get()[row * width_ + way], dirty(row, way), in_part, words);
    set_state(row, way, state_of(row)[way] | complete | sectors << 8U);
  }

  /// Calls visit(row, way) for every line with dirty sectors.
  template <class Visit>
  void each_dirty(const Visit& visit) const {
    for (Row row = 0; row < rows_; ++row) {
      for (std::uint32_t way = 0; way < ways_; ++way) {
        if (dirty(row, way) != 0) visit(row, way);
      }
    }
  }

 private:
  static constexpr std::uint32_t step = 8;
  static constexpr std::size_t alignment = 64;
  // Searched in vectors of up to twice as many ways as are stored together: what lies behind the ways is ignored.
  using Lines = hn::CappedTag<std::uint32_t, 2 * step>;
  using WideOrders = hn::CappedTag<std::int16_t, 2 * step>;
  using Orders = hn::CappedTag<std::int16_t, step>;

  [[nodiscard]] HWY_INLINE std::uint32_t existing(std::uint32_t way) const { return way < ways_ ? way : none; }
  [[nodiscard]] HWY_INLINE std::uint32_t first_of(Row row, std::int16_t wanted) const {
    const WideOrders d;
    const std::int16_t* order = order_of(row);
    for (std::uint32_t w = 0; w < width_; w += static_cast<std::uint32_t>(hn::Lanes(d))) {
      const std::intptr_t lane = hn::FindFirstTrue(d, hn::Eq(hn::Load(d, order + w), hn::Set(d, wanted)));
      if (lane >= 0) return existing(w + static_cast<std::uint32_t>(lane));
    }
    return none;
  }

  /// Every order becomes change(order), that of one way becomes `own`; stored in whole vectors, as they are read.
  template <class Change>
  HWY_INLINE void each_order(std::int16_t* order, std::uint32_t way, std::int16_t own, const Change& change) const {
    const Orders d;
    alignas(64) static constexpr std::int16_t lanes[step] = {0, 1, 2, 3, 4, 5, 6, 7};
    const auto lane = hn::Load(d, lanes);
    for (std::uint32_t w = 0; w < width_; w += static_cast<std::uint32_t>(hn::Lanes(d))) {
      const auto here = hn::Eq(lane, hn::Set(d, static_cast<std::int16_t>(way - w)));
      hn::Store(hn::IfThenElse(here, hn::Set(d, own), change(hn::Load(d, order + w))), d, order + w);
    }
  }

  [[nodiscard]] std::uint32_t* lines_of(Row row) const {
    return reinterpret_cast<std::uint32_t*>(base_ + row * row_bytes_);
  }
  [[nodiscard]] std::int16_t* order_of(Row row) const {
    return reinterpret_cast<std::int16_t*>(base_ + row * row_bytes_ + width_ * sizeof(std::uint32_t));
  }
  [[nodiscard]] std::uint16_t* state_of(Row row) const {
    return reinterpret_cast<std::uint16_t*>(order_of(row) + width_);
  }
  void set_state(Row row, std::uint32_t way, unsigned state) { state_of(row)[way] = static_cast<std::uint16_t>(state); }

  struct Free {
    void operator()(void* p) const { std::free(p); }
  };
  std::uint64_t rows_;
  std::uint32_t ways_, width_;
  std::int16_t used_above_, newest_;  ///< orders
  SectorWords words_;
  std::size_t row_bytes_;
  std::unique_ptr<void, Free> memory_;
  std::unique_ptr<std::uint64_t, Free> written_;  ///< [row * width + way], touched where sectors are written in part
  unsigned char* base_;
  bool some_leave_early_ = false;
};

}  // namespace mansard::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
