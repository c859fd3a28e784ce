// Which array a line belongs to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "stream/program.hpp"

namespace mansard {

/// A line belongs to the last region that starts at or before its last byte, and to the first one if there is none.
/// The lines between the first and the last region are cut into equal buckets that know where to start searching, so
/// that a look-up hardly ever compares more than one region.
class Owner {
 public:
  /// Regions ascend by start; there may be none, then everything belongs to array 0.
  Owner(std::span<const Region> regions, std::uint32_t line_bytes) {
    std::uint64_t end = 0;  // of the regions so far, in lines
    for (const Region& region : regions) {
      first_.push_back(region.start / line_bytes);
      apart_ = apart_ && (region.bytes == 0 || first_.back() >= end);
      if (region.bytes > 0) end = (region.start + region.bytes - 1) / line_bytes + 1;
    }
    if (first_.empty()) first_.push_back(0);
    while (((first_.back() - first_.front()) >> shift_) >= buckets) ++shift_;
    for (std::uint64_t b = 0; b <= buckets; ++b) {
      start_.push_back(search(first_.front() + (b << shift_), 0, first_.size()));
    }
  }

  /// No line holds bytes of two regions: then lines that move along in their arrays keep their owners.
  [[nodiscard]] bool tells_lines_apart() const { return apart_; }

  /// Do all lines from `line` to `line` + `lines` belong to one array?
  [[nodiscard]] bool same(std::uint64_t line, std::int64_t lines) const {
    return (*this)(line) == (*this)(line + static_cast<std::uint64_t>(lines));
  }

  [[nodiscard, gnu::always_inline]] std::size_t operator()(std::uint64_t line) const {
    if (line < first_.front()) return 0;
    const std::uint64_t bucket = std::min((line - first_.front()) >> shift_, buckets - 1);
    const std::size_t from = start_[bucket];
    // Lines behind the last bucket belong to the last region, or lie where regions are few: search to the end.
    const std::size_t to = bucket + 1 < buckets ? start_[bucket + 1] + 1 : first_.size();
    return to - from == 1 ? from : search(line, from, to);
  }

 private:
  static constexpr std::uint64_t buckets = 1024;

  [[nodiscard]] std::size_t search(std::uint64_t line, std::size_t from, std::size_t to) const {
    const auto begin = first_.begin();
    const auto after =
        std::upper_bound(begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(to), line);
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - begin, 1)) - 1;
  }

  std::vector<std::uint64_t> first_;  // [array] the first line that can belong to it
  std::vector<std::size_t> start_;    // [bucket] owner of the bucket's first line
  int shift_ = 0;
  bool apart_ = true;
};

}  // namespace mansard
