// One cache of the naive twin: rows of lines, searched from the front.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cache/naive_mix.hpp"
#include "cache/naive_policies.hpp"
#include "cache/policy.hpp"

namespace mansard::naive {

using u64 = std::uint64_t;
constexpr u64 empty = ~u64{0};  // no line: none is that large

/// Entries are line * 2 + dirty. With LRU and FIFO a row has the newest line first; with the other policies every line
/// stays in its way.
class Cache {
 public:
  LevelGeometry is;

  Cache(const LevelGeometry& g, u64 line_bytes)
      : is(g),
        line_bytes_(line_bytes),
        mask_(std::has_single_bit(g.sets) ? g.sets - 1 : 0),
        renews_(std::string_view(g.policy->name) == "lru"),
        by_way_(make_way_policy(g)),
        entries_(g.sets * g.ways, empty) {}

  // A level with sectors keeps tags of whole lines, and for each the sectors that are there and those that are dirty.
  // Everyone else speaks of the sector, or of the line if it is one sector.
  bool hit(u64 sector, bool used, bool dirtied) {
    if (is.sectors == 1) return hit_line(sector, used, dirtied);
    if (!holds(sector)) return false;
    if (dirtied) sectors_[sector] = true;
    return hit_line(sector / is.sectors, used, false);
  }
  bool holds(u64 sector) { return is.sectors == 1 ? find(sector) != nullptr : sectors_.contains(sector); }

  struct Out {
    u64 line;
    bool dirty;
  };
  /// Puts in a sector that is not there; returns all that had to go, valid until the next time.
  const std::vector<Out>& insert(u64 sector, bool dirty) {
    out_.clear();
    if (is.sectors == 1) {
      if (const auto gone = insert_line(sector, dirty)) out_.push_back(*gone);
      return out_;
    }
    const u64 line = sector / is.sectors;
    sectors_[sector] = dirty;
    if (hit_line(line, true, false)) return out_;  // its tag is there for another sector: a use
    const auto gone = insert_line(line, false);
    if (!gone) return out_;
    for (u64 s = gone->line * is.sectors; s < (gone->line + 1) * is.sectors; ++s) {
      if (sectors_.contains(s)) out_.push_back({s, sectors_.extract(s).mapped()});
    }
    return out_;
  }
  /// Takes a sector out, and its line with the last one; returns whether it was dirty, nothing if it was not there.
  std::optional<bool> erase(u64 sector) {
    if (is.sectors == 1) return erase_line(sector);
    if (!holds(sector)) return std::nullopt;
    const bool dirty = sectors_.extract(sector).mapped();
    const u64 line = sector / is.sectors;
    const auto next = sectors_.lower_bound(line * is.sectors);
    if (next == sectors_.end() || next->first / is.sectors != line) erase_line(line);
    return dirty;
  }

  /// Makes a line clean, wherever it stands in the order (several cores, without sectors); was it there and dirty?
  bool clean_line(u64 line) {
    u64* const place = find(line);
    if (!place || (*place & 1) == 0) return false;
    *place &= ~u64{1};
    return true;
  }

  [[nodiscard]] std::vector<u64> dirty_lines() const {
    std::vector<u64> dirty;
    for (const u64 entry : entries_) {
      if (entry != empty && (entry & 1) != 0) dirty.push_back(entry >> 1);
    }
    for (const auto& [sector, is_dirty] : sectors_) {
      if (is_dirty) dirty.push_back(sector);
    }
    return dirty;
  }
  void clean() {
    for (u64& entry : entries_) {
      if (entry != empty) entry &= ~u64{1};
    }
    for (auto& [sector, is_dirty] : sectors_) is_dirty = false;
  }

  [[nodiscard]] u64 set_of(u64 line) const {
    u64 address = line * line_bytes_;
    if (is.pages.size > 0) {  // the frame that the page lies in: there are 2^47 / size of them
      const u64 frame = hash_of({is.pages.seed, address / is.pages.size}) / (is.pages.size << 17U);
      address = frame * is.pages.size + address % is.pages.size;
    }
    if (is.hash.empty()) return mask_ ? address / line_bytes_ & mask_ : address / line_bytes_ % is.sets;
    u64 set = 0;
    for (std::size_t bit = 0; bit < is.hash.size(); ++bit) {
      u64 parity = 0;
      for (u64 rest = is.hash[bit] & address; rest != 0; rest /= 2) parity ^= rest & 1;
      set += parity << bit;
    }
    return set;
  }

 private:
  /// Is the line there? If so it may be used, which matters to the policy, and may become dirty.
  bool hit_line(u64 line, bool used, bool dirtied) {
    const u64 set = set_of(line);
    u64* const first = row(set);
    for (u64* place = first; place != first + is.ways; ++place) {
      if (*place >> 1 != line) continue;
      if (dirtied) *place |= 1;
      if (!used) return true;
      if (by_way_) {
        by_way_->used(set, static_cast<std::size_t>(place - first));
      } else if (renews_ && place != first) {
        put_first(first, place, *place);
      }
      return true;
    }
    return false;
  }

  /// Puts in a line that is not there; returns what had to go.
  std::optional<Out> insert_line(u64 line, bool dirty) {
    const u64 set = set_of(line);
    u64* const first = row(set);
    const u64 entry = line << 1 | (dirty ? 1 : 0);
    u64 out = first[is.ways - 1];
    if (by_way_) {
      const auto end = first + is.ways;
      const auto leftmost = static_cast<std::size_t>(std::find(first, end, empty) - first);
      std::size_t rightmost = is.ways;
      for (std::size_t way = 0; way < is.ways; ++way) rightmost = first[way] == empty ? way : rightmost;
      const std::size_t way = by_way_->choose(set, leftmost, rightmost);
      out = std::exchange(first[way], entry);
      by_way_->came_in(set, way);
    } else {
      put_first(first, first + is.ways - 1, entry);
    }
    if (out == empty) return std::nullopt;
    return Out{out >> 1, (out & 1) != 0};
  }

  /// Takes a line out; returns whether it was dirty, nothing if it was not there.
  std::optional<bool> erase_line(u64 line) {
    u64* const place = find(line);
    if (!place) return std::nullopt;
    const bool dirty = (*place & 1) != 0;
    const u64 set = set_of(line);
    if (by_way_) {
      *place = empty;
      by_way_->left(set, static_cast<std::size_t>(place - row(set)));
    } else {
      u64* end = row(set) + is.ways;
      std::memmove(place, place + 1, static_cast<std::size_t>(end - place - 1) * sizeof(u64));
      end[-1] = empty;
    }
    return dirty;
  }

  u64* row(u64 set) { return &entries_[set * is.ways]; }
  u64* find(u64 line) {
    u64* const first = row(set_of(line));
    for (u64* place = first; place != first + is.ways; ++place) {
      if (*place >> 1 == line) return place;
    }
    return nullptr;
  }
  // What was before `place` moves back by one, over what was in it. (A loop: rows are too short for memmove.)
  static void put_first(u64* first, const u64* place, u64 entry) {
    for (u64* p = first; p <= place; ++p) std::swap(entry, *p);
  }

  u64 line_bytes_;
  u64 mask_;     // of a number of sets that is a power of two
  bool renews_;  // a use makes a line the newest: LRU. Otherwise FIFO.
  std::unique_ptr<WayPolicy> by_way_;
  std::vector<u64> entries_;     // [set * ways + place]
  std::map<u64, bool> sectors_;  // those that are there: dirty? Of levels with sectors only, whose entries are clean
  std::vector<Out> out_;
};

}  // namespace mansard::naive
