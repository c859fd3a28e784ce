// The prefetchers of the naive twin: docs/bytes.md, "Prefetch".
#pragma once

#include <cstdint>
#include <list>
#include <vector>

#include "machine/machine.hpp"

namespace mansard::naive {

class Prefetching {
 public:
  Prefetching(const Prefetch& is, std::uint64_t line_bytes) : is_(is), line_bytes_(line_bytes) {}

  /// The lines that are wanted after demand looked up `line`.
  std::vector<std::uint64_t> after(std::uint64_t line, bool missed) {
    std::vector<std::uint64_t> wanted;
    const auto want = [&](std::uint64_t other) {
      if (other * line_bytes_ / prefetch_page == line * line_bytes_ / prefetch_page) wanted.push_back(other);
    };
    if (is_.adjacent && missed) want(line % 2 == 0 ? line + 1 : line - 1);
    if (is_.streams == 0) return wanted;
    for (auto s = streams_.begin(); s != streams_.end(); ++s) {
      const bool up = line == s->last + 1 && s->direction >= 0, down = line + 1 == s->last && s->direction <= 0;
      if (line != s->last && !up && !down) continue;
      if (up || down) *s = {line, up ? 1 : -1};
      streams_.splice(streams_.begin(), streams_, s);
      for (std::uint64_t n = 1; n <= is_.distance && (up || down); ++n) want(up ? line + n : line - n);
      return wanted;
    }
    streams_.push_front({line, 0});
    if (streams_.size() > is_.streams) streams_.pop_back();
    return wanted;
  }

 private:
  struct Stream {
    std::uint64_t last;
    int direction;  // 0 before the second line
  };
  Prefetch is_;
  std::uint64_t line_bytes_;
  std::list<Stream> streams_;  // newest first
};

}  // namespace mansard::naive
