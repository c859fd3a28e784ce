// Sets kept in the order of replacement, newest first: one row of small entries each, searched and shifted with SIMD.
// For policies that are an order. (Compiled once per SIMD target, Highway's idiom: see ordered_level.cpp.)
#if defined(MANSARD_CACHE_ORDERED_SETS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef MANSARD_CACHE_ORDERED_SETS_INL
#undef MANSARD_CACHE_ORDERED_SETS_INL
#else
#define MANSARD_CACHE_ORDERED_SETS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

#include "cache/lazy_array.hpp"
#include "cache/level.hpp"
#include "cache/plain_rows.hpp"
#include "cache/set_index.hpp"

HWY_BEFORE_NAMESPACE();
namespace mansard::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// `renews`: a use moves the line to the front (LRU); otherwise the order is that of insertion (FIFO).
/// An entry is (line + 1) * 2 + dirty, and 0 is an empty way, so that memory which the operating system hands out
/// zeroed is an empty cache and only the sets in use take memory. Empty ways are at the end of a row; rows are padded
/// with empty entries to whole vectors. `Entry` is 32 bits wide where all lines fit, and at most `most_lanes` ways go
/// into one vector; `one_vector`: all of them do.
template <class Entry, std::size_t most_lanes, bool one_vector, bool renews>
class OrderedSets {
 public:
  static constexpr bool is_order = true;
  static constexpr bool renews_on_use = renews;
  static constexpr bool by_modulo = true;
  static constexpr bool tells_state = true;

  OrderedSets(std::uint64_t sets, std::uint32_t ways)
      : index_(sets),
        sets_(sets),
        ways_(ways),
        stride_((ways + lanes() - 1) / lanes() * lanes()),
        // One entry before the first row is read, never used.
        memory_(sets * stride_ + 2 * alignment / sizeof(Entry)) {
    const auto start = reinterpret_cast<std::uintptr_t>(memory_.data());
    entries_ = reinterpret_cast<Entry*>((start / alignment + 1) * alignment);
  }

  /// The sets for the length of a loop over them, with what that loop needs in registers. One at a time.
  /// `masked`: the number of sets is a power of two.
  template <bool masked, Pattern pattern>
  class Rows {
   public:
    explicit Rows(OrderedSets& sets)
        : sets_(sets), index_(sets.index_), mask_(sets.sets_ - 1), entries_(sets.entries_), ways_(sets.ways_) {}
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;
    ~Rows() { sets_.occupied_ += filled_; }

    HWY_INLINE void prefetch(std::uint64_t line) const { __builtin_prefetch(row_of(line)); }

    /// Is it the line used last in its set? Then this was a use of it.
    HWY_INLINE bool use_latest(std::uint64_t line, bool dirty) {
      Entry* const row = row_of(line);
      const Entry differs = row[0] ^ key_of(line);
      if (differs > dirty_bit) return false;
      if (differs < (dirty ? dirty_bit : 0)) row[0] |= dirty_bit;
      return true;
    }

    /// hit(line, true, dirty) and, if it misses, insert(line, dirty), in one.
    HWY_INLINE Touched use(std::uint64_t line, bool dirty) {
      const D d;
      Entry* const row = row_of(line);
      const Entry key = key_of(line);
      const Entry mark = dirty ? dirty_bit : 0;
      if constexpr (!one_vector) return use_long(line, dirty);
      const auto entries = hn::Load(d, row);
      const auto same = hn::Eq(hn::Or(entries, hn::Set(d, dirty_bit)), hn::Set(d, static_cast<Entry>(key | dirty_bit)));
      if constexpr (pattern == Pattern::random && renews) {
        // Hit or miss, the same instructions: a branch would be guessed wrongly too often. A miss takes the last way.
        const std::size_t way =
            hn::FindKnownFirstTrue(d, hn::Or(same, hn::Eq(hn::Iota(d, 0), hn::Set(d, static_cast<Entry>(ways_ - 1)))));
        const bool hit = !hn::AllFalse(d, same);
        const Entry gone = row[way];
        const auto rest = hn::AndNot(hn::Load(d, Tables::first_lane), to_front(entries, way));
        hn::Store(hn::Or(rest, in_first_lane(key | mark | (gone & static_cast<Entry>(hit)))), d, row);
        filled_ += gone == 0 ? 1U : 0U;  // a miss, then: no line's entry is 0
        return {gone, hit};
      }
      const std::intptr_t way = hn::FindFirstTrue(d, same);
      if (way >= 0) {
        if constexpr (renews) {
          hn::Store(hn::Or(to_front(entries, static_cast<std::size_t>(way)), in_first_lane(mark)), d, row);
        } else {
          if (row[way] < (key | mark)) row[way] |= mark;
        }
        return {0, true};
      }
      const Entry last = row[ways_ - 1];
      const auto rest = hn::AndNot(hn::Load(d, Tables::first_lane), to_front(entries, ways_ - 1));
      hn::Store(hn::Or(rest, in_first_lane(key | mark)), d, row);
      filled_ += last == 0 ? 1U : 0U;
      return {last, false};
    }

   private:
    HWY_INLINE Entry* row_of(std::uint64_t line) const {
      const std::uint64_t set = masked ? line & mask_ : index_(line);
      return entries_ + set * (one_vector ? lanes() : sets_.stride_);
    }
    HWY_NOINLINE Touched use_long(std::uint64_t line, bool dirty) {
      if (sets_.hit(line, true, dirty)) return {0, true};
      return {sets_.insert(line, dirty).entry(), false};
    }

    OrderedSets& sets_;
    const SetIndex index_;
    const std::uint64_t mask_;
    Entry* const entries_;
    const std::size_t ways_;
    std::uint64_t filled_ = 0;
  };
  [[nodiscard]] bool masked() const { return std::has_single_bit(sets_); }

  HWY_INLINE bool hit(std::uint64_t line, bool renew, bool mark) {
    Entry* const row = row_of(line);
    const Entry key = key_of(line);
    const Entry dirty = mark ? dirty_bit : 0;
    if ((row[0] | dirty_bit) == (key | dirty_bit)) {
      if (row[0] < (key | dirty)) row[0] |= dirty_bit;
      return true;
    }
    const std::size_t way = find(row, key);
    if (way == none) return false;
    if (renews && renew) {
      push_front(row, way, static_cast<Entry>(row[way] | dirty));
    } else {
      row[way] = static_cast<Entry>(row[way] | dirty);
    }
    return true;
  }

  HWY_INLINE Used insert(std::uint64_t line, bool dirty) {
    Entry* const row = row_of(line);
    const Entry last = row[ways_ - 1];
    push_front(row, ways_ - 1, static_cast<Entry>(key_of(line) | (dirty ? dirty_bit : 0)));
    occupied_ += last == 0 ? 1U : 0U;
    return Used::missed_for(last);
  }

  /// The line that would have to go if `line` came in; none while the set has room.
  [[nodiscard]] std::optional<std::uint64_t> oldest(std::uint64_t line) const {
    const Entry last = row_of(line)[ways_ - 1];
    return last == 0 ? std::nullopt : std::optional(line_of(last));
  }

  std::optional<bool> remove(std::uint64_t line) {
    Entry* const row = row_of(line);
    const std::size_t way = find(row, key_of(line));
    if (way == none) return std::nullopt;
    const bool dirty = (row[way] & dirty_bit) != 0;
    --occupied_;
    if constexpr (one_vector) {
      const D d;
      hn::Store(hn::TableLookupLanes(hn::Load(d, row), hn::SetTableIndices(d, tables.close_up[way])), d, row);
      if (ways_ == lanes()) row[ways_ - 1] = 0;
    } else {
      std::copy(row + way + 1, row + ways_, row + way);
      row[ways_ - 1] = 0;
    }
    return dirty;
  }

  [[nodiscard]] bool is_dirty(std::uint64_t line) const {
    Entry* const row = row_of(line);
    const std::size_t way = find(row, key_of(line));
    return way != none && (row[way] & dirty_bit) != 0;
  }

  bool clean_line(std::uint64_t line) {
    Entry* const row = row_of(line);
    const std::size_t way = find(row, key_of(line));
    if (way == none || (row[way] & dirty_bit) == 0) return false;
    row[way] = static_cast<Entry>(row[way] & ~dirty_bit);
    return true;
  }

  template <class Visitor>
  void visit_dirty(const Visitor& visitor) const {
    for (const Entry* e = entries_; e != end(); ++e) {
      if (*e & dirty_bit) visitor(line_of(*e));
    }
  }

  void clean() {
    for (Entry* e = entries_; e != end(); ++e) {
      if (*e & dirty_bit) *e = static_cast<Entry>(*e & ~dirty_bit);  // writes only what changes: untouched pages stay
    }
  }

  [[nodiscard]] std::uint64_t occupied() const { return occupied_; }

  void save(LevelState& state, bool sparse) const {
    const std::uint64_t step = step_of(sparse);
    const std::size_t row_bytes = stride_ * sizeof(Entry);
    state.resize((sets_ + step - 1) / step * row_bytes);
    if (step == 1) {
      std::memcpy(state.data(), entries_, state.size());
      return;
    }
    unsigned char* to = state.data();
    for (std::uint64_t set = 0; set < sets_; set += step, to += row_bytes) {
      std::memcpy(to, entries_ + set * stride_, row_bytes);
    }
  }

  [[nodiscard]] bool is_moved(const LevelState& state, bool sparse, std::int64_t lines) const {
    const std::uint64_t step = step_of(sparse);
    const auto* then = reinterpret_cast<const Entry*>(state.data());
    for (std::uint64_t set = 0; set < sets_; set += step, then += stride_) {
      const Entry* now = entries_ + moved_set(set, lines) * stride_;
      Entry difference = 0;
      for (std::size_t w = 0; w < stride_; ++w) difference |= static_cast<Entry>(moved(then[w], lines) ^ now[w]);
      if (difference != 0) return false;
    }
    return true;
  }

  [[nodiscard]] bool keeps_owners(const Owner& owner, std::int64_t lines) const {
    for (const Entry* e = entries_; e != end(); ++e) {
      if (*e != 0 && !owner.same(line_of(*e), lines)) return false;
    }
    return true;
  }

  void move(std::int64_t lines) {
    if (lines == 0) return;
    for (Entry* e = entries_; e != end(); ++e) *e = moved(*e, lines);
    std::rotate(entries_, entries_ + moved_set(0, -lines) * stride_, end());  // the set that becomes set 0
  }

 private:
  using D = hn::CappedTag<Entry, most_lanes>;
  static constexpr Entry dirty_bit = 1;
  static constexpr std::size_t none = ~std::size_t{0};
  static constexpr std::size_t alignment = 64;

  template <class V>
  static HWY_INLINE V to_front(V entries, std::size_t way) {
    return hn::TableLookupLanes(entries, hn::SetTableIndices(D(), tables.rotate[way]));
  }
  static HWY_INLINE auto in_first_lane(Entry entry) {
    const D d;
    return hn::And(hn::Load(d, Tables::first_lane), hn::Set(d, entry));
  }

  static std::size_t lanes() { return hn::Lanes(D()); }
  /// What to permute the lanes of a row with, so that one of them comes first and those before it move back.
  struct Tables {
    using Lane = std::conditional_t<sizeof(Entry) == 4, std::int32_t, std::int64_t>;
    alignas(64) Lane rotate[most_lanes][most_lanes];
    alignas(64) static constexpr Entry first_lane[most_lanes] = {static_cast<Entry>(~Entry{0})};
    alignas(64) Lane close_up[most_lanes][most_lanes];  ///< takes one out; the last lane stays as well
    constexpr Tables() : rotate(), close_up() {
      for (std::size_t way = 0; way < most_lanes; ++way) {
        for (std::size_t lane = 0; lane < most_lanes; ++lane) {
          rotate[way][lane] = static_cast<Lane>(lane == 0 ? way : lane <= way ? lane - 1 : lane);
          close_up[way][lane] = static_cast<Lane>(lane < way || lane + 1 == hn::MaxLanes(D()) ? lane : lane + 1);
        }
      }
    }
  };
  static constexpr Tables tables{};

  static HWY_INLINE Entry key_of(std::uint64_t line) { return static_cast<Entry>((line + 1) << 1U); }
  static HWY_INLINE std::uint64_t line_of(Entry entry) { return (entry >> 1U) - std::uint64_t{1}; }
  static Entry moved(Entry entry, std::int64_t lines) {
    const Entry by = static_cast<Entry>(static_cast<std::uint64_t>(lines) << 1U);
    return entry == 0 ? Entry{0} : static_cast<Entry>(entry + by);
  }

  HWY_INLINE std::size_t find(const Entry* row, Entry key) const {
    const D d;
    const auto wanted = hn::Set(d, static_cast<Entry>(key | dirty_bit));
    const auto dirty = hn::Set(d, dirty_bit);
    for (std::size_t v = 0; v < (one_vector ? 1 : stride_); v += hn::Lanes(d)) {
      const auto match = hn::Eq(hn::Or(hn::Load(d, row + v), dirty), wanted);
      const std::intptr_t lane = hn::FindFirstTrue(d, match);
      if (lane >= 0) return v + static_cast<std::size_t>(lane);
    }
    return none;
  }

  /// The entries before `way` move back by one, over it; `entry` becomes the first.
  HWY_INLINE void push_front(Entry* row, std::size_t way, Entry entry) const {
    const D d;
    if constexpr (one_vector) {
      const auto rest = hn::AndNot(hn::Load(d, Tables::first_lane), to_front(hn::Load(d, row), way));
      hn::Store(hn::Or(rest, in_first_lane(entry)), d, row);
      return;
    }
    const std::size_t n = hn::Lanes(d);
    for (std::size_t v = way / n * n; v > 0; v -= n) {
      const auto back = hn::LoadU(d, row + v - 1);
      const auto keep = hn::Load(d, row + v);
      hn::Store(hn::IfThenElse(hn::FirstN(d, way + 1 - v), back, keep), d, row + v);
    }
    const auto keep = hn::Load(d, row);
    const auto shifted = hn::IfThenElse(hn::FirstN(d, way + 1), moved_back(row, keep), keep);
    hn::Store(hn::IfThenElse(hn::FirstN(d, 1), hn::Set(d, entry), shifted), d, row);
  }

  /// The first vector of a row, one lane further back; the first lane is anything. In registers where that is one
  /// instruction: what lies before a row is another cache line of the machine we run on.
  template <class V>
  static HWY_INLINE V moved_back(const Entry* row, V first) {
    const D d;
    if constexpr (sizeof(Entry) == 4) {
      alignas(64) static constexpr std::int32_t before[16] = {0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
      return hn::TableLookupLanes(first, hn::SetTableIndices(d, before));
    } else {
      return hn::LoadU(d, row - 1);
    }
  }

  [[nodiscard]] HWY_INLINE Entry* row_of(std::uint64_t line) const { return entries_ + index_(line) * stride_; }
  [[nodiscard]] Entry* end() const { return entries_ + sets_ * stride_; }
  [[nodiscard]] std::uint64_t step_of(bool sparse) const {
    constexpr std::uint64_t some = 64;  // sets
    return sparse ? std::max<std::uint64_t>(1, sets_ / some) : 1;
  }
  [[nodiscard]] std::uint64_t moved_set(std::uint64_t set, std::int64_t lines) const {
    const auto count = static_cast<std::int64_t>(sets_);
    const std::int64_t by = (lines % count + count) % count;
    const std::uint64_t to = set + static_cast<std::uint64_t>(by);
    return to < sets_ ? to : to - sets_;
  }

  SetIndex index_;
  std::uint64_t sets_;
  std::size_t ways_, stride_;
  LazyArray<Entry> memory_;
  Entry* entries_;
  std::uint64_t occupied_ = 0;
};

}  // namespace mansard::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
