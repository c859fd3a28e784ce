// Sets of very many ways of lines whose sectors are valid or dirty each: a hash table finds the line, linked lists hold
// the order of replacement.
#pragma once

#include <cstdint>
#include <vector>

#include "cache/gpu/sector_words.hpp"
#include "cache/line_table.hpp"

namespace mansard {

/// As SectoredSets, with constant time per operation whatever the number of ways. Grows with the lines in use.
class LinkedSectors {
 public:
  using Row = std::size_t;
  static constexpr std::uint32_t none = LineTable::none;

  /// `words`: 4-byte words of a sector.
  LinkedSectors(std::uint64_t rows, std::uint32_t ways, std::uint32_t words)
      : ways_(ways), words_(words), sets_(rows) {}

  void prefetch(Row /*row*/) const {}
  void prefetch_for_store(Row /*row*/, unsigned /*sectors*/, std::uint64_t /*words*/) const {}

  /// The way of a line, or none.
  [[nodiscard]] std::uint32_t find(Row row, std::uint32_t line) const { return table_.find(key(row, line)); }

  /// The next to leave: an empty way, the oldest of the lines that go before others, or the one used longest ago.
  [[nodiscard]] std::uint32_t next_to_leave(Row row) const {
    const Set& set = sets_[row];
    if (set.ways.size() < ways_) return static_cast<std::uint32_t>(set.ways.size());
    return set.early.oldest != none ? set.early.oldest : set.used.oldest;
  }

  /// A line that is not there takes a way, with no sectors; its place in the order is still to be said.
  void replace(Row row, std::uint32_t way, std::uint32_t line) {
    Set& set = sets_[row];
    if (way == set.ways.size()) {
      set.ways.emplace_back();
    } else {
      table_.remove(key(row, set.ways[way].line));
      unlink(set, way);
    }
    set.ways[way] = {.line = line};
    table_.insert(key(row, line), way);
  }

  void use(Row row, std::uint32_t way) { move(row, way, false); }
  /// The line leaves before those that were used, but after empty ways were taken.
  void leave_early(Row row, std::uint32_t way) { move(row, way, true); }

  [[nodiscard]] std::uint32_t line(Row row, std::uint32_t way) const { return sets_[row].ways[way].line; }
  /// Of an empty way none, as of a line that has none.
  [[nodiscard]] unsigned valid(Row row, std::uint32_t way) const { return sets_[row].ways[way].valid; }
  [[nodiscard]] unsigned dirty(Row row, std::uint32_t way) const {
    const std::vector<Way>& ways = sets_[row].ways;
    return way < ways.size() ? ways[way].dirty : 0;
  }
  void fill(Row row, std::uint32_t way, unsigned sectors) { at(row, way).valid |= static_cast<std::uint8_t>(sectors); }
  void drop(Row row, std::uint32_t way, unsigned sectors) { at(row, way).valid &= static_cast<std::uint8_t>(~sectors); }
  void clean(Row row, std::uint32_t way) { at(row, way).dirty = 0; }

  /// Words of sectors are written; those that are complete become valid.
  void write(Row row, std::uint32_t way, unsigned sectors, std::uint64_t words) {
    Way& w = at(row, way);
    unsigned complete = words_.complete(sectors, words);
    const unsigned in_part = sectors & ~complete & ~unsigned{w.valid};
    if (in_part != 0) complete |= words_.add(w.written, w.dirty, in_part, words);
    w.valid |= static_cast<std::uint8_t>(complete);
    w.dirty |= static_cast<std::uint8_t>(sectors);
  }

  /// Calls visit(row, way) for every line with dirty sectors.
  template <class Visit>
  void each_dirty(const Visit& visit) const {
    for (Row row = 0; row < sets_.size(); ++row) {
      for (std::uint32_t way = 0; way < sets_[row].ways.size(); ++way) {
        if (dirty(row, way) != 0) visit(row, way);
      }
    }
  }

 private:
  struct Way {
    std::uint32_t line = 0;
    std::uint32_t newer = none, older = none;
    std::uint8_t valid = 0, dirty = 0;
    bool listed = false, early = false;
    std::uint64_t written = 0;
  };
  struct Order {
    std::uint32_t newest = none, oldest = none;
  };
  struct Set {
    std::vector<Way> ways;
    Order used, early;
  };

  [[nodiscard]] static std::uint64_t key(Row row, std::uint32_t line) { return std::uint64_t{row} << 32U | line; }
  [[nodiscard]] Way& at(Row row, std::uint32_t way) { return sets_[row].ways[way]; }

  void move(Row row, std::uint32_t way, bool early) {
    Set& set = sets_[row];
    unlink(set, way);
    Way& w = set.ways[way];
    Order& order = early ? set.early : set.used;
    w.listed = true;
    w.early = early;
    w.newer = none;
    w.older = order.newest;
    (order.newest == none ? order.oldest : set.ways[order.newest].newer) = way;
    order.newest = way;
  }

  static void unlink(Set& set, std::uint32_t way) {
    const Way& w = set.ways[way];
    if (!w.listed) return;
    Order& order = w.early ? set.early : set.used;
    (w.newer == none ? order.newest : set.ways[w.newer].older) = w.older;
    (w.older == none ? order.oldest : set.ways[w.older].newer) = w.newer;
  }

  std::uint32_t ways_;
  SectorWords words_;
  std::vector<Set> sets_;
  LineTable table_;
};

}  // namespace mansard
