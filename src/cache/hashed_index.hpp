// Which set of a cache a line belongs to where each bit of the set's number is the parity of some address bits: the
// hashed last-level caches of McCalpin, TR 2021-03 (UT Austin), and Maurice et al., RAID 2015.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace mansard {

class HashedIndex {
 public:
  static constexpr bool moves_along = false;  ///< lines that move by as much need not stay in one set

  /// `masks`: of bits of the byte address, one for each bit of the set's number, lowest first.
  HashedIndex(const std::vector<std::uint64_t>& masks, std::uint32_t line_bytes) {
    for (const std::uint64_t mask : masks)
      masks_.push_back(mask >> static_cast<unsigned>(std::countr_zero(line_bytes)));
  }

  [[nodiscard]] std::uint64_t operator()(std::uint64_t line) const {
    std::uint64_t set = 0;
    for (std::size_t bit = 0; bit < masks_.size(); ++bit) {
      set |= static_cast<std::uint64_t>(std::popcount(line & masks_[bit]) & 1) << bit;
    }
    return set;
  }

 private:
  std::vector<std::uint64_t> masks_;  // of bits of the line's number
};

}  // namespace mansard
