// One memory instruction of a warp, coalesced: the distinct lines that its threads touch, with masks of sectors.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workload/quasi.hpp"

namespace mansard {

/// What the memory path of a multiprocessor does in a cycle.
struct LanePath {
  std::uint32_t line = 128, sector = 32;  ///< bytes
  std::uint32_t lanes = 32;               ///< 4-byte words that move in a cycle
  std::uint32_t double_lanes = 32;        ///< the same where each thread moves 8 B or more
  std::uint32_t banks = 16, bank = 8;     ///< of the L1's data array; bytes
  double tag_lines = 4;                   ///< distinct lines that are looked up in a cycle
  std::uint32_t shared_banks = 32, shared_bank = 4;
  friend bool operator==(const LanePath&, const LanePath&) = default;
};

/// A line and what of it is touched.
struct TouchedLine {
  Int line;               ///< number, relative to the line of the first lane
  std::uint32_t sectors;  ///< bit s: sector s
  std::uint64_t words;    ///< bit w: all of the 4-byte word w (a store of less writes none as a whole)
  friend bool operator==(const TouchedLine&, const TouchedLine&) = default;
};

struct Coalesced {
  std::vector<TouchedLine> lines;    ///< ascending
  std::uint32_t sectors = 0;         ///< distinct ones
  std::uint32_t lanes = 0;           ///< active threads
  double cycles = 0;                 ///< of the L1's pipeline, or of shared memory
  std::uint32_t distinct_bytes = 0;  ///< asked for by any lane
  std::uint32_t least = 1;           ///< shared memory: passes that as many distinct words need without conflicts
  std::uint32_t conflicts = 1;       ///< shared memory: passes, that is most distinct words in one bank
  friend bool operator==(const Coalesced&, const Coalesced&) = default;
};

/// `offsets` in bytes, one per active lane, relative to a line boundary below the first; each access `bytes` wide.
/// L1 cycles of one instruction: max(32*size/(4*lanes), most distinct words in one bank, ceil((lines + 2)/4)), which
/// met strided accesses measured on an A100 within 7 % (D. Ernst et al., "Analytical performance estimation during
/// code generation on modern GPUs", J. Parallel Distrib. Comput. 173, 2023).
Coalesced coalesce(std::span<const Int> offsets, std::uint32_t bytes, const LanePath& path);

/// The same in shared memory: as many passes as there are distinct words in the most used bank.
Coalesced shared_access(std::span<const Int> offsets, std::uint32_t bytes, const LanePath& path);

/// One of the two.
inline Coalesced coalesce(std::span<const Int> offsets, std::uint32_t bytes, const LanePath& path, bool shared) {
  return shared ? shared_access(offsets, bytes, path) : coalesce(offsets, bytes, path);
}

/// Remembers what instructions came to whose lanes' addresses follow no rule: many repeat, as rows of a matrix do.
class CoalesceMemo {
 public:
  explicit CoalesceMemo(const LanePath& path) : path_(path), entries_(count) {}
  /// As above, of the caches or of shared memory; valid until the next call.
  const Coalesced& coalesced(std::span<const Int> offsets, std::uint32_t bytes, bool shared);

 private:
  static constexpr std::size_t count = 512;
  struct Entry {
    std::vector<Int> offsets;
    std::uint32_t bytes = 0;
    bool shared = false;
    Coalesced what;
  };
  LanePath path_;
  std::vector<Entry> entries_;  ///< at the hash of their offsets
};

}  // namespace mansard
