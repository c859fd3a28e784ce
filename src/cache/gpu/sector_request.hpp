// What passes from one level of a GPU's hierarchy to the next: parts of lines that are read or written.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "cache/gpu/gpu_geometry.hpp"
#include "units/mix.hpp"

namespace mansard {

struct SectorRequest {
  enum class Kind : std::uint8_t { load, store, streaming };  ///< streaming: stored, and the first to leave
  std::uint64_t words;                                        ///< 4-byte words of the line that are stored as a whole
  std::uint32_t line;                                         ///< below 2^32 - 1: callers bound it
  std::uint16_t unit, array;
  std::uint8_t sectors;
  Kind kind;
};

/// A level never depends on those behind it, so what it asks them for can be kept and played later, in order.
using SectorTape = std::vector<SectorRequest>;

/// Which partition of a level a line is fetched and written by.
inline std::uint32_t home_of(std::uint64_t line, std::uint32_t partitions) {
  return static_cast<std::uint32_t>(mix(line ^ 0x5bd1e995U) % partitions);
}

/// Rewrites requests in lines of one level as requests in lines of the next, whose lines hold whole sectors of it.
class NextLines {
 public:
  NextLines(const GpuLevel& from, const GpuLevel& to) : from_(from), to_(to) {}

  void append(const SectorRequest& r, SectorTape& tape) const {
    if (from_.line == to_.line && from_.sector == to_.sector) {
      tape.push_back(r);
    } else {
      append_rewritten(r, tape);
    }
  }

 private:
  void append_rewritten(const SectorRequest& r, SectorTape& tape) const {
    constexpr std::uint32_t word = 4;
    const std::uint32_t words = from_.sector / word;  // of a sector
    const std::uint64_t all = words == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << words) - 1;
    SectorRequest next = r;
    next.sectors = 0;
    for (unsigned rest = r.sectors; rest != 0; rest &= rest - 1) {
      const auto s = static_cast<std::uint32_t>(std::countr_zero(rest));
      const std::uint64_t start = std::uint64_t{r.line} * from_.line + std::uint64_t{s} * from_.sector;
      const auto line = static_cast<std::uint32_t>(start / to_.line);
      const auto at = static_cast<std::uint32_t>(start % to_.line);
      if (next.sectors != 0 && next.line != line) tape.push_back(next);
      if (next.sectors == 0 || next.line != line) {
        next.line = line;
        next.sectors = 0;
        next.words = 0;
      }
      const std::uint32_t first = at / to_.sector;
      const std::uint32_t last = (at + from_.sector - 1) / to_.sector;
      next.sectors = static_cast<std::uint8_t>(next.sectors | ((2U << last) - (1U << first)));
      next.words |= (r.words >> (s * words) & all) << (at / word);
    }
    if (next.sectors != 0) tape.push_back(next);
  }

  GpuLevel from_, to_;
};

}  // namespace mansard
