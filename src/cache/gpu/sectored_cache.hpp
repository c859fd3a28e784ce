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

/// Lines are numbered below 2^32 - 1, and less than 2^31 uses are counted: callers bound both.
class SectoredCache {
 public:
  /// Where a line is; false: nowhere.
  struct Place {
    std::size_t key = ~std::size_t{0}, line = 0;
    explicit operator bool() const { return key != ~std::size_t{0}; }
  };

  /// `words`: 4-byte words of a sector.
  SectoredCache(std::uint64_t sets, std::uint32_t ways, std::uint32_t words);

  /// Place of a line, or none. Does not count as a use.
  [[nodiscard]] Place find(std::uint64_t line) const {
    const std::uint64_t set = set_of(line);
    const std::uint32_t* tags = &keys_[set * 4 * ways_];
    const auto tag = static_cast<std::uint32_t>(line);
    std::uint32_t found = 0;  // at most one matches: no branch, so that compilers compare several at a time
    for (std::uint32_t w = 0; w < ways_; ++w) found |= tags[w] == tag ? w + 1 : 0;
    if (found == 0) return {};
    return {set * 4 * ways_ + found - 1, set * ways_ + found - 1};
  }

  /// Place for a line that is not there, taken from the one used longest ago; `victim` says what that loses.
  Place insert(std::uint64_t line, SectoredVictim& victim);

  void use(Place place) { used(place) = ++clock_; }
  /// Leaves before those that were used, the oldest of such lines first, but after empty places are taken.
  void leave_early(Place place) { used(place) = never | ++clock_; }

  [[nodiscard]] std::uint32_t valid(Place place) const { return keys_[place.key + 2 * ways_]; }
  [[nodiscard]] bool is_written(Place place, std::uint32_t sectors) const {
    return (keys_[place.key + 3 * ways_] & valid(place) & sectors) == sectors;
  }
  void fill(Place place, std::uint32_t sectors) { keys_[place.key + 2 * ways_] |= sectors; }
  void drop(Place place, std::uint32_t sectors) { keys_[place.key + 2 * ways_] &= ~sectors; }
  /// Words of sectors are written; those that are written as a whole become valid.
  void write(Place place, std::uint32_t sectors, std::uint64_t words);

  /// Calls visit(victim) for every line with dirty sectors and leaves them clean.
  template <class Visit>
  void drain(Visit&& visit) {
    for (std::uint64_t set = 0; set < sets_; ++set) {
      for (std::uint32_t w = 0; w < ways_; ++w) {
        const Place place{set * 4 * ways_ + w, set * ways_ + w};
        if (keys_[place.key + 3 * ways_] != 0) visit(take(place));
      }
    }
  }

 private:
  [[nodiscard]] std::uint64_t set_of(std::uint64_t line) const { return ((mix(line) >> 32U) * sets_) >> 32U; }
  SectoredVictim take(Place place);
  [[nodiscard]] std::uint32_t& used(Place place) { return keys_[place.key + ways_]; }

  static constexpr std::uint32_t never = std::uint32_t{1} << 31U;  ///< compared as signed, before all that was

  std::uint64_t sets_;
  std::uint32_t ways_, words_, clock_ = 0;
  // What a look-up touches lies side by side: of each set the tags of its ways (~0: empty), when they were used, their
  // valid and their dirty sectors.
  std::vector<std::uint32_t> keys_;
  std::vector<std::uint64_t> written_;  ///< [set * ways + way]: words written since the line came, or was last clean
};

}  // namespace mansard
