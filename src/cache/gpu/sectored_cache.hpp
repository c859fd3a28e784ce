// One cache of a GPU: lines of sectors that are valid or dirty each, LRU within hashed sets.
#pragma once

#include <cstdint>
#include <vector>

#include "units/mix.hpp"

namespace mansard {

/// A line that was put out, and what of it has to be written.
struct SectoredVictim {
  std::uint64_t line = 0;
  std::uint32_t dirty = 0;       ///< sectors
  std::uint32_t incomplete = 0;  ///< those of them that were written in part and never fetched
};

class SectoredCache {
 public:
  static constexpr std::size_t none = ~std::size_t{0};

  /// `words`: 4-byte words of a sector.
  SectoredCache(std::uint64_t sets, std::uint32_t ways, std::uint32_t words);

  /// Place of a line, or none. Does not count as a use.
  [[nodiscard]] std::size_t find(std::uint64_t line) const {
    const std::size_t first = set_of(line) * ways_;
    for (std::size_t w = first; w < first + ways_; ++w) {
      if (tags_[w] == line) return w;
    }
    return none;
  }

  /// Place for a line that is not there, taken from the one used longest ago; `victim` says what that loses.
  std::size_t insert(std::uint64_t line, SectoredVictim& victim);

  void use(std::size_t place) { used_[place] = ++clock_; }
  void use_last(std::size_t place) { used_[place] = 0; }  ///< evict first

  [[nodiscard]] std::uint32_t valid(std::size_t place) const { return valid_[place]; }
  [[nodiscard]] bool is_written(std::size_t place, std::uint32_t sectors) const {
    return (dirty_[place] & valid_[place] & sectors) == sectors;
  }
  void fill(std::size_t place, std::uint32_t sectors) { valid_[place] |= sectors; }
  void drop(std::size_t place, std::uint32_t sectors) { valid_[place] &= ~sectors; }
  /// Words of sectors are written; those that are written as a whole become valid.
  void write(std::size_t place, std::uint32_t sectors, std::uint64_t words);

  /// Calls visit(victim) for every line with dirty sectors and leaves them clean.
  template <class Visit>
  void drain(Visit&& visit) {
    for (std::size_t p = 0; p < tags_.size(); ++p) {
      if (dirty_[p] != 0) visit(take(p));
    }
  }

 private:
  [[nodiscard]] std::uint64_t set_of(std::uint64_t line) const { return ((mix(line) >> 32U) * sets_) >> 32U; }
  SectoredVictim take(std::size_t place);

  std::uint64_t sets_, clock_ = 0;
  std::uint32_t ways_, words_;
  std::vector<std::uint64_t> tags_, used_;  ///< [set * ways + way]; a tag of ~0 is an empty place
  std::vector<std::uint32_t> valid_, dirty_;
  std::vector<std::uint64_t> written_;  ///< words written since the line came
};

}  // namespace mansard
