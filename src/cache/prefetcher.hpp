// Which lines a level asks for before they are used: docs/bytes.md, "Prefetch".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "machine/machine.hpp"

namespace mansard {

class Prefetcher {
 public:
  Prefetcher(const Prefetch& prefetch, std::uint32_t line_bytes);

  /// Demand looked up `line`. Returns the lines to bring in now, in order, where the level does not have them; valid
  /// until the next call.
  std::span<const std::uint64_t> looked_up(std::uint64_t line, bool missed);

 private:
  struct Stream {
    std::uint64_t last;
    std::int64_t direction;  // 1 or -1, 0 before the second line
  };
  void follow(std::uint64_t line);

  Prefetch is_;
  std::uint64_t lines_per_page_;
  std::vector<Stream> streams_;  // newest first
  std::vector<std::uint64_t> wanted_;
};

}  // namespace mansard
