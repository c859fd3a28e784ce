// Which set of a cache a line belongs to where that is not its number modulo the sets: because the line lies on a
// physical page that is anywhere, or because the cache hashes its addresses (McCalpin, TR 2021-03, UT Austin; Maurice
// et al., RAID 2015), or both. Only the set follows the physical address: lines keep their virtual numbers, which tell
// them apart as well.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "cache/geometry.hpp"
#include "cache/set_index.hpp"
#include "units/mix.hpp"

namespace mansard {

class MappedIndex {
 public:
  static constexpr bool moves_along = false;  ///< lines that move by as much need not stay in one set

  static bool needed(const LevelGeometry& geometry) { return !geometry.hash.empty() || geometry.pages.size > 0; }

  MappedIndex(const LevelGeometry& geometry, std::uint32_t line_bytes)
      : modulo_(geometry.sets),
        lines_per_page_(geometry.pages.size / line_bytes),
        frame_shift_(64 - address_bits + std::countr_zero(geometry.pages.size)),
        seed_(mix(geometry.pages.seed)) {
    for (const std::uint64_t mask : geometry.hash) masks_.push_back(mask / line_bytes);
  }

  [[nodiscard]] std::uint64_t operator()(std::uint64_t line) const {
    if (lines_per_page_ > 0) line = physical(line);
    if (masks_.empty()) return modulo_(line);
    std::uint64_t set = 0;
    for (std::size_t bit = 0; bit < masks_.size(); ++bit) {
      set |= static_cast<std::uint64_t>(std::popcount(line & masks_[bit]) & 1) << bit;
    }
    return set;
  }

 private:
  static constexpr int address_bits = 47;

  [[nodiscard]] std::uint64_t physical(std::uint64_t line) const {
    const std::uint64_t frame = mix(seed_ + line / lines_per_page_) >> static_cast<unsigned>(frame_shift_);
    return frame * lines_per_page_ + line % lines_per_page_;
  }

  SetIndex modulo_;
  std::uint64_t lines_per_page_;  // 0: physical addresses are the virtual ones
  int frame_shift_;               // leaves the hash as many bits as there are frames
  std::uint64_t seed_;
  std::vector<std::uint64_t> masks_;  // of bits of the line's number; none: modulo
};

}  // namespace mansard
