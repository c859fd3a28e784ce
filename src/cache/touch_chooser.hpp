// Which touches of a nest change anything, decided touch by touch (docs/engine.md, "Reduced streams").
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cache/tape.hpp"

namespace mansard {

/// A touch of a loop nest: the line as its distance from the line of the array's first reference.
struct NestTouch {
  std::uint16_t array;  ///< index among the arrays of the nest
  Event::Kind kind;     ///< demand or store
  std::int64_t line;
};

/// Is shown all touches in order. A touch is kept unless from the touch of its line kept before it to the next one at
/// most `ways` lines of its set are touched (LRU).
class TouchChooser {
 public:
  explicit TouchChooser(std::uint64_t ways) : ways_(ways) {}

  /// False if a set gets too many lines to keep track of.
  bool touch(std::uint64_t set, const NestTouch& t) {
    std::vector<Line>& lines = sets_[set];
    std::size_t x = 0;
    while (x < lines.size() && !(lines[x].array == t.array && lines[x].line == t.line)) ++x;
    ++time_;
    if (x == lines.size()) {
      if (x == most_lines) return false;
      lines.push_back({t.array, t.line, {time_, t}, 0, 0, false});
      kept_.emplace_back(time_, t);
    } else {
      Line& line = lines[x];
      if (static_cast<std::uint64_t>(std::popcount(line.since_kept)) + 1 <= ways_) {
        line.stored = line.stored || (line.waits && line.latest.second.kind == Event::store);
      } else {
        if (line.waits) keep(line);
        line.since_kept = line.since_latest;
      }
      line.latest = {time_, t};
      line.waits = true;
      line.since_latest = 0;
    }
    for (std::size_t y = 0; y < lines.size(); ++y) {
      if (y == x) continue;
      lines[y].since_kept |= std::uint64_t{1} << x;
      lines[y].since_latest |= std::uint64_t{1} << x;
    }
    return true;
  }

  std::vector<NestTouch> kept() {
    for (auto& [set, lines] : sets_) {
      for (Line& line : lines) {
        if (line.waits) keep(line);
      }
    }
    std::ranges::sort(kept_, {}, &Timed::first);
    std::vector<NestTouch> touches;
    for (const Timed& t : kept_) touches.push_back(t.second);
    return touches;
  }

 private:
  static constexpr std::size_t most_lines = 64;  // of a set: one bit each
  using Timed = std::pair<std::uint64_t, NestTouch>;
  struct Line {
    std::uint16_t array;
    std::int64_t line;
    Timed latest;                            // touch of it
    std::uint64_t since_kept, since_latest;  // lines of the set touched since its last kept touch, and its latest
    bool waits;                              // the latest is neither kept nor dropped yet
    bool stored = false;                     // a store was dropped: the next kept touch makes up for it, in time, as
  };  // the line cannot leave before

  void keep(Line& line) {
    kept_.push_back(line.latest);
    if (line.stored) kept_.back().second.kind = Event::store;
    line.stored = false;
    line.waits = false;
  }

  std::uint64_t ways_;
  std::map<std::uint64_t, std::vector<Line>> sets_;
  std::vector<Timed> kept_;
  std::uint64_t time_ = 0;
};

}  // namespace mansard
