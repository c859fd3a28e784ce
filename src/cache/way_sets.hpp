// Sets whose lines keep their way, for policies that are not an order of lines but a state by way: ages, bits of a
// tree, the number of a draw.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <vector>

#include "cache/lazy_array.hpp"
#include "cache/level.hpp"
#include "cache/plain_rows.hpp"
#include "cache/set_index.hpp"

namespace mansard {

/// An entry is (line + 1) * 2 + dirty, 0 an empty way. `Policy` says what happens to the state of a set, which starts
/// as zeros:
///   State, states(ways)       its type, and how many of them a set has
///   used(state, way)          a use of the line in `way`
///   choose(state, set, empty) the way for a line that comes in; `empty` is one without a line, nothing if there is
///   none came_in(state, way)       after that left(state, way)          the line was taken out, and nothing came in
///   fills_from_right          which empty way: the last one, else the first
///   normalize(row, state)     brings a full set into one of the forms between which nobody can tell, as long as no
///                             line is taken out
///   cycle(ways)               lines after which a stream through a set comes back to the same form; a guess
///   tells_state               the state says all that decides what happens next, wherever the set lies
template <class Entry, class Policy, class Index = SetIndex>
class WaySets {
 public:
  static constexpr bool is_order = false;
  static constexpr bool renews_on_use = false;
  static constexpr bool by_modulo = false;  // nobody asks
  static constexpr bool tells_state = Policy::tells_state && Index::moves_along;

  WaySets(std::uint64_t sets, std::uint32_t ways, const Policy& policy) : WaySets(sets, ways, policy, Index(sets)) {}
  WaySets(std::uint64_t sets, std::uint32_t ways, const Policy& policy, const Index& index)
      : policy_(policy),
        index_(index),
        sets_(sets),
        ways_(ways),
        states_(policy.states(ways)),
        entries_(sets * ways),
        latest_(sets),
        state_(sets * states_) {}

  bool hit(std::uint64_t line, bool renew, bool mark) {
    const std::uint64_t set = index_(line);
    Entry* const row = row_of(set);
    std::uint8_t& latest = latest_.data()[set];  // most uses are of the line that was used last
    const Entry wanted = key_of(line) | dirty_bit;
    const std::size_t way = (row[latest] | dirty_bit) == wanted ? latest : find(row, line);
    if (way == ways_) return false;
    latest = static_cast<std::uint8_t>(way);
    if (mark) row[way] |= dirty_bit;
    if (renew) policy_.used(state_of(set), way);
    return true;
  }

  Used insert(std::uint64_t line, bool dirty) {
    const std::uint64_t set = index_(line);
    Entry* const row = row_of(set);
    const std::size_t way = policy_.choose(state_of(set), set, empty_way(row));
    const Entry out = row[way];
    row[way] = static_cast<Entry>(key_of(line) | (dirty ? dirty_bit : 0));
    policy_.came_in(state_of(set), way);
    occupied_ += out == 0 ? 1U : 0U;
    return Used::missed_for(out);
  }

  /// Nobody may ask: runs are reduced only where lines have an order.
  [[nodiscard]] static std::optional<std::uint64_t> oldest(std::uint64_t) { return std::nullopt; }

  /// No line will be taken out: forms between which nobody can tell then are one.
  void lines_stay() { stay_ = true; }

  std::optional<bool> remove(std::uint64_t line) {
    if (stay_) throw std::logic_error("a line is taken out of a cache whose lines were to stay");
    const std::uint64_t set = index_(line);
    Entry* const row = row_of(set);
    const std::size_t way = find(row, line);
    if (way == ways_) return std::nullopt;
    const bool dirty = (row[way] & dirty_bit) != 0;
    row[way] = 0;
    policy_.left(state_of(set), way);
    --occupied_;
    return dirty;
  }

  [[nodiscard]] bool is_dirty(std::uint64_t line) const {
    const Entry* const row = row_of(index_(line));
    const std::size_t way = find(row, line);
    return way < ways_ && (row[way] & dirty_bit) != 0;
  }

  bool clean_line(std::uint64_t line) {
    Entry* const row = row_of(index_(line));
    const std::size_t way = find(row, line);
    if (way >= ways_ || (row[way] & dirty_bit) == 0) return false;
    row[way] = static_cast<Entry>(row[way] & ~dirty_bit);
    return true;
  }

  template <class Visitor>
  void visit_dirty(const Visitor& visitor) const {
    for (const Entry* e = entries_.data(); e != end(); ++e) {
      if (*e & dirty_bit) visitor(line_of(*e));
    }
  }
  void clean() {
    for (Entry* e = entries_.data(); e != end(); ++e) {
      if (*e & dirty_bit) *e = static_cast<Entry>(*e & ~dirty_bit);  // writes only what changes: untouched pages stay
    }
  }
  template <bool, Pattern>
  using Rows = PlainRows<WaySets>;
  [[nodiscard]] static bool masked() { return false; }

  [[nodiscard]] std::uint64_t occupied() const { return occupied_; }

  void save(LevelState& state, bool sparse) const {
    const std::uint64_t step = step_of(sparse);
    state.resize((sets_ + step - 1) / step * set_bytes());
    unsigned char* to = state.data();
    for (std::uint64_t set = 0; set < sets_; set += step, to += set_bytes()) {
      std::memcpy(to, row_of(set), row_bytes());
      std::memcpy(to + row_bytes(), state_of(set), set_bytes() - row_bytes());
    }
  }

  /// Ways and their state are compared one by one: a set that holds the same lines elsewhere may go on differently.
  [[nodiscard]] bool is_moved(const LevelState& state, bool sparse, std::int64_t lines) const {
    const std::uint64_t step = step_of(sparse);
    Form then(ways_, states_), now(ways_, states_);
    const unsigned char* from = state.data();
    for (std::uint64_t set = 0; set < sets_; set += step, from += set_bytes()) {
      const std::uint64_t to = moved_set(set, lines);
      std::memcpy(then.row.data(), from, row_bytes());
      std::memcpy(then.state.data(), from + row_bytes(), set_bytes() - row_bytes());
      for (Entry& entry : then.row) entry = moved(entry, lines);
      now.row.assign(row_of(to), row_of(to) + ways_);
      now.state.assign(state_of(to), state_of(to) + states_);
      normalize(then);
      normalize(now);
      if (then.row != now.row || then.state != now.state) return false;
    }
    return true;
  }
  [[nodiscard]] std::uint32_t cycle() const {
    const auto ways = static_cast<std::uint32_t>(ways_);
    return stay_ ? policy_.cycle(ways) : ways;
  }

  [[nodiscard]] bool keeps_owners(const Owner& owner, std::int64_t lines) const {
    return std::all_of(entries_.data(), end(), [&](Entry e) { return e == 0 || owner.same(line_of(e), lines); });
  }

  void move(std::int64_t lines) {
    if (lines == 0) return;
    LevelState before;
    save(before, false);
    const unsigned char* from = before.data();
    for (std::uint64_t set = 0; set < sets_; ++set, from += set_bytes()) {
      const std::uint64_t to = moved_set(set, lines);
      std::memcpy(row_of(to), from, row_bytes());
      for (std::size_t way = 0; way < ways_; ++way) row_of(to)[way] = moved(row_of(to)[way], lines);
      std::memcpy(state_of(to), from + row_bytes(), set_bytes() - row_bytes());
    }
  }

 private:
  using State = typename Policy::State;
  static constexpr Entry dirty_bit = 1;

  /// A set, for comparison.
  struct Form {
    std::vector<Entry> row;
    std::vector<State> state;
    Form(std::size_t ways, std::size_t states) : row(ways), state(states) {}
  };
  /// Where a line may be taken out, some day, it matters which way is the first to be empty.
  void normalize(Form& form) const {
    const bool full = std::find(form.row.begin(), form.row.end(), Entry{0}) == form.row.end();
    if (full && stay_) policy_.normalize(form.row.data(), form.state.data());
  }

  static Entry key_of(std::uint64_t line) { return static_cast<Entry>((line + 1) << 1U); }
  static std::uint64_t line_of(Entry entry) { return (entry >> 1U) - std::uint64_t{1}; }
  static Entry moved(Entry entry, std::int64_t lines) {
    const Entry by = static_cast<Entry>(static_cast<std::uint64_t>(lines) << 1U);
    return entry == 0 ? Entry{0} : static_cast<Entry>(entry + by);
  }

  [[nodiscard]] std::size_t find(const Entry* row, std::uint64_t line) const {
    const Entry wanted = key_of(line) | dirty_bit;
    std::size_t way = 0;
    while (way < ways_ && (row[way] | dirty_bit) != wanted) ++way;
    return way;
  }
  [[nodiscard]] std::optional<std::size_t> empty_way(const Entry* row) const {
    for (std::size_t n = 0; n < ways_; ++n) {
      const std::size_t way = policy_.fills_from_right() ? ways_ - 1 - n : n;
      if (row[way] == 0) return way;
    }
    return std::nullopt;
  }

  [[nodiscard]] Entry* row_of(std::uint64_t set) const { return entries_.data() + set * ways_; }
  [[nodiscard]] State* state_of(std::uint64_t set) const { return state_.data() + set * states_; }
  [[nodiscard]] Entry* end() const { return entries_.data() + sets_ * ways_; }
  [[nodiscard]] std::size_t row_bytes() const { return ways_ * sizeof(Entry); }
  [[nodiscard]] std::size_t set_bytes() const { return row_bytes() + states_ * sizeof(State); }
  [[nodiscard]] std::uint64_t step_of(bool sparse) const {
    constexpr std::uint64_t some = 64;  // sets
    return sparse ? std::max<std::uint64_t>(1, sets_ / some) : 1;
  }
  [[nodiscard]] std::uint64_t moved_set(std::uint64_t set, std::int64_t lines) const {
    const auto count = static_cast<std::int64_t>(sets_);
    return (set + static_cast<std::uint64_t>((lines % count + count) % count)) % sets_;
  }

  Policy policy_;
  Index index_;
  std::uint64_t sets_;
  std::size_t ways_, states_;
  LazyArray<Entry> entries_;
  LazyArray<std::uint8_t> latest_;  // [set] the way that was hit last
  LazyArray<State> state_;
  std::uint64_t occupied_ = 0;
  bool stay_ = false;
};

}  // namespace mansard
