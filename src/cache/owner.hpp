// Which array a line belongs to, and in which column it is counted.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cache/share.hpp"
#include "stream/program.hpp"

namespace mansard {

/// A line belongs to the last region that starts at or before its last byte, and to the first one if there is none.
/// The lines between the first and the last region are cut into equal buckets that mostly lie in one region: then a
/// look-up is one load.
class Owner {
 public:
  /// Regions ascend by start; there may be none, then everything belongs to array 0.
  Owner(std::span<const Region> regions, std::uint32_t line_bytes, const Share& share = {})
      : share_(share), groups_(share.groups()) {
    for (std::uint64_t c = 0; c < share.classes; ++c) group_[c] = static_cast<std::uint8_t>(share.group(c));
    std::uint64_t end = 0;  // of the regions so far, in lines
    for (const Region& region : regions) {
      first_.push_back(region.start / line_bytes);
      apart_ = apart_ && (region.bytes == 0 || first_.back() >= end);
      if (region.bytes > 0) end = (region.start + region.bytes - 1) / line_bytes + 1;
    }
    if (first_.empty()) first_.push_back(0);
    while (((first_.back() - first_.front()) >> shift_) >= Buckets::count) ++shift_;
    for (std::uint64_t b = 0; b < Buckets::count; ++b) {
      const std::size_t from = search(first_.front() + (b << shift_));
      const std::size_t to = search(first_.front() + ((b + 1) << shift_) - 1);
      only_.push_back(from == to ? static_cast<std::uint32_t>(from) : Buckets::several);
    }
    only_.push_back(Buckets::several);
  }

  /// No line holds bytes of two regions: then lines that move along in their arrays keep their owners.
  [[nodiscard]] bool tells_lines_apart() const { return apart_; }

  /// Do all lines from `line` to `line` + `lines` belong to one array?
  [[nodiscard]] bool same(std::uint64_t line, std::int64_t lines) const {
    return (*this)(line) == (*this)(line + static_cast<std::uint64_t>(lines));
  }

  /// What loops keep in registers.
  struct Buckets {
    static constexpr std::uint64_t count = 1024;
    static constexpr std::uint32_t several = ~std::uint32_t{0};
    std::uint64_t first;        ///< line of the first bucket; a line before it counts as one behind the last
    int shift;                  ///< 2^shift lines a bucket
    const std::uint32_t* only;  ///< [bucket] the owner of all its lines, or `several`
    [[nodiscard, gnu::always_inline]] std::uint32_t operator()(std::uint64_t line) const {
      return only[std::min((line - first) >> shift, count)];
    }
  };
  [[nodiscard]] Buckets buckets() const { return {first_.front(), shift_, only_.data()}; }

  [[nodiscard, gnu::always_inline]] std::size_t operator()(std::uint64_t line) const {
    const std::uint32_t owner = buckets()(line);
    return column(owner != Buckets::several ? owner : search(line), line);
  }
  /// Counters are kept by array, and by class where a share's classes are counted apart: in so many columns.
  [[nodiscard]] std::size_t columns(std::size_t arrays) const { return arrays * groups_; }
  [[nodiscard]] std::size_t column(std::size_t array, std::uint64_t line) const {
    return share_.apart ? array * groups_ + group_[line & (share_.classes - 1)] : array;
  }
  /// Of what belongs to an array as a whole.
  [[nodiscard]] std::size_t first_column(std::size_t array) const { return array * groups_; }

 private:
  [[nodiscard]] std::size_t search(std::uint64_t line) const {
    const auto after = std::ranges::upper_bound(first_, line);
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - first_.begin(), 1)) - 1;
  }

  std::vector<std::uint64_t> first_;  // [array] the first line that can belong to it
  std::vector<std::uint32_t> only_;   // [bucket], and for what lies outside of them
  int shift_ = 0;
  Share share_;
  std::size_t groups_;
  std::array<std::uint8_t, Share::most_classes> group_{};  // [class]
  bool apart_ = true;
};

}  // namespace mansard
