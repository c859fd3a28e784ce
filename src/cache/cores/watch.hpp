// Who touches which bytes of the lines that cores take from each other: true sharing or false.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cache/cores/cores.hpp"

namespace mansard {

/// A line is watched from its first invalidation on. Bytes are kept to 1/64 of a line, one bit each.
class Watch {
 public:
  Watch(std::uint32_t cores, std::uint32_t line_bytes)
      : cores_(cores), grain_(std::max<std::uint64_t>(1, line_bytes / 64)) {}

  [[nodiscard]] bool empty() const { return touched_.empty(); }
  /// Bytes [from, to) of a line, to > from.
  [[nodiscard]] std::uint64_t mask(std::uint64_t from, std::uint64_t to) const {
    const std::uint64_t first = from / grain_, last = (to - 1) / grain_;
    return (~std::uint64_t{0} >> (63 - (last - first))) << first;
  }
  /// The core touches bytes; false if the line is not watched.
  bool touch(std::uint32_t core, std::uint64_t line, std::uint64_t bytes) {
    if (touched_.empty()) return false;
    const auto found = touched_.find(line);
    if (found == touched_.end()) return false;
    found->second[core] |= bytes;
    return true;
  }
  /// The core took the line from others by a store to these bytes.
  void invalidated(std::uint32_t core, std::uint64_t line, std::uint64_t bytes, SharingCount& count) {
    ++count.invalidations;
    const auto found = touched_.find(line);
    if (found == touched_.end()) {
      if (touched_.size() < most_watched_lines) touched_[line].resize(cores_);
      return;
    }
    std::uint64_t others = 0;
    for (std::uint32_t c = 0; c < cores_; ++c) others |= c == core ? 0 : found->second[c];
    if ((others & bytes) != 0) ++count.true_sharing;
    if (others != 0 && (others & bytes) == 0) ++count.false_sharing;
  }

 private:
  std::uint32_t cores_;
  std::uint64_t grain_;
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> touched_;  // [line][core]
};

}  // namespace mansard
