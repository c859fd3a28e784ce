// Sets kept in the order of replacement, newest first: one row of 64-bit entries each. For policies that are an order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "cache/level.hpp"
#include "cache/set_index.hpp"

namespace mansard {

/// `renews`: a use moves the line to the front (LRU); otherwise the order is that of insertion (FIFO).
/// An entry is (line + 1) * 2 + dirty, and 0 is an empty way, so that memory which the operating system hands out
/// zeroed is an empty cache and only the sets in use take memory. Empty ways are at the end of a row.
template <bool renews>
class OrderedSets {
 public:
  static constexpr bool renews_on_use = renews;

  OrderedSets(std::uint64_t sets, std::uint32_t ways)
      : index_(sets), ways_(ways), entries_(static_cast<Entry*>(std::calloc(sets * ways, sizeof(Entry)))) {
    if (!entries_) throw std::bad_alloc();
    end_ = entries_.get() + sets * ways;
  }

  bool hit(std::uint64_t line, bool renew, bool mark) {
    Entry* const row = row_of(line);
    const Entry key = key_of(line);
    if ((row[0] | dirty_bit) == (key | dirty_bit)) {
      row[0] |= Entry{mark};
      return true;
    }
    for (std::uint64_t way = 1; way < ways_; ++way) {
      if ((row[way] | dirty_bit) != (key | dirty_bit)) continue;
      row[way] |= Entry{mark};
      if (renews && renew) push_front(row, way, row[way]);
      return true;
    }
    return false;
  }

  std::optional<Victim> insert(std::uint64_t line, bool dirty) {
    Entry* const row = row_of(line);
    const Entry last = push_front(row, ways_ - 1, key_of(line) | Entry{dirty});
    if (last == 0) return ++occupied_, std::nullopt;
    return Victim{line_of(last), (last & dirty_bit) != 0};
  }

  /// The line that would have to go if `line` came in; none while the set has room.
  [[nodiscard]] std::optional<std::uint64_t> oldest(std::uint64_t line) const {
    const Entry last = row_of(line)[ways_ - 1];
    return last == 0 ? std::nullopt : std::optional(line_of(last));
  }

  std::optional<bool> remove(std::uint64_t line) {
    Entry* const row = row_of(line);
    Entry* const end = row + ways_;
    Entry* const found = find(row, line);
    if (found == end) return std::nullopt;
    const bool dirty = (*found & dirty_bit) != 0;
    std::copy(found + 1, end, found);
    end[-1] = 0;
    --occupied_;
    return dirty;
  }

  [[nodiscard]] bool is_dirty(std::uint64_t line) const {
    Entry* const row = row_of(line);
    const Entry* const found = find(row, line);
    return found != row + ways_ && (*found & dirty_bit) != 0;
  }

  template <class Visitor>
  void visit_dirty(const Visitor& visitor) const {
    for (const Entry* e = entries_.get(); e != end_; ++e) {
      if (*e & dirty_bit) visitor(line_of(*e));
    }
  }

  void prefetch(std::uint64_t line) const { __builtin_prefetch(row_of(line), 1); }

  static constexpr bool tells_state = true;
  [[nodiscard]] std::uint64_t occupied() const { return occupied_; }
  void save(std::vector<std::uint64_t>& state, bool sparse) const {
    if (!sparse) {
      state.assign(entries_.get(), end_);
      return;
    }
    state.clear();
    const std::uint64_t step = step_of(sparse);
    for (std::uint64_t set = 0; set < sets(); set += step) {
      state.insert(state.end(), entries_.get() + set * ways_, entries_.get() + (set + 1) * ways_);
    }
  }
  [[nodiscard]] bool is_moved(const std::vector<std::uint64_t>& state, bool sparse, std::int64_t lines) const {
    const std::uint64_t step = step_of(sparse);
    const Entry* then = state.data();
    for (std::uint64_t set = 0; set < sets(); set += step, then += ways_) {
      const Entry* now = entries_.get() + moved_set(set, lines) * ways_;
      Entry difference = 0;
      for (std::uint64_t w = 0; w < ways_; ++w) difference |= moved(then[w], lines) ^ now[w];
      if (difference != 0) return false;
    }
    return true;
  }
  void move(std::int64_t lines) {
    std::vector<Entry> before(entries_.get(), end_);
    for (std::uint64_t set = 0; set < sets(); ++set) {
      const Entry* from = before.data() + set * ways_;
      Entry* to = entries_.get() + moved_set(set, lines) * ways_;
      for (std::uint64_t w = 0; w < ways_; ++w) to[w] = moved(from[w], lines);
    }
  }

  void clean() {
    for (Entry* e = entries_.get(); e != end_; ++e) {
      if (*e & dirty_bit) *e &= ~dirty_bit;  // writes only what changes: untouched pages stay unbacked
    }
  }

 private:
  using Entry = std::uint64_t;
  static constexpr Entry dirty_bit = 1;
  static Entry key_of(std::uint64_t line) { return (line + 1) << 1; }
  static std::uint64_t line_of(Entry entry) { return (entry >> 1) - 1; }

  // The entries before `way` move back by one. Returns what was in `way`. (A loop: rows are too short for memmove.)
  static Entry push_front(Entry* row, std::uint64_t way, Entry entry) {
    for (std::uint64_t w = 0; w <= way; ++w) std::swap(entry, row[w]);
    return entry;
  }
  [[nodiscard]] std::uint64_t sets() const { return static_cast<std::uint64_t>(end_ - entries_.get()) / ways_; }
  [[nodiscard]] std::uint64_t step_of(bool sparse) const {
    constexpr std::uint64_t some = 64;  // sets
    return sparse ? std::max<std::uint64_t>(1, sets() / some) : 1;
  }
  static Entry moved(Entry entry, std::int64_t lines) {
    return entry == 0 ? 0 : entry + (static_cast<Entry>(lines) << 1U);
  }
  [[nodiscard]] std::uint64_t moved_set(std::uint64_t set, std::int64_t lines) const {
    const auto count = static_cast<std::int64_t>(sets());
    const std::int64_t by = (lines % count + count) % count;
    const std::uint64_t to = set + static_cast<std::uint64_t>(by);
    return to < sets() ? to : to - sets();
  }
  [[nodiscard]] Entry* row_of(std::uint64_t line) const { return entries_.get() + index_(line) * ways_; }
  [[nodiscard]] Entry* find(Entry* row, std::uint64_t line) const {
    return std::find_if(row, row + ways_, [key = key_of(line)](Entry e) { return (e & ~dirty_bit) == key; });
  }

  struct Free {
    void operator()(Entry* p) const { std::free(p); }
  };

  SetIndex index_;
  std::uint64_t ways_;
  std::unique_ptr<Entry[], Free> entries_;
  Entry* end_;
  std::uint64_t occupied_ = 0;
};

}  // namespace mansard
