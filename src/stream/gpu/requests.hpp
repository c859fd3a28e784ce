// What the warps of a launch ask for, before any cache: instructions, sectors, how well they coalesce.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "stream/gpu/warp.hpp"

namespace mansard {

/// Of one array. Sectors are those of the first cache, distinct within each instruction.
struct ArrayRequests {
  std::uint64_t loads = 0, stores = 0;            ///< warp instructions
  std::uint64_t load_bytes = 0, store_bytes = 0;  ///< that the threads ask for
  std::uint64_t load_sectors = 0, store_sectors = 0;
  std::uint64_t distinct_bytes = 0;  ///< bytes of the touched sectors that threads ask for
  ArrayRequests& operator+=(const ArrayRequests& o);
};

struct Requests {
  std::vector<ArrayRequests> arrays;
  std::vector<std::uint64_t> warps, lanes;  ///< executions by Body::id
  std::uint64_t lines = 0;                  ///< of the first cache, distinct within each instruction
  double l1_cycles = 0;                     ///< of all multiprocessors together
  std::uint64_t shared_instructions = 0, shared_passes = 0;
  std::uint64_t shared_least = 0;  ///< passes without conflicts
  std::uint64_t shared_bytes = 0;

  Requests() = default;
  explicit Requests(const Program& program)
      : arrays(program.regions.size()), warps(program.bodies), lanes(program.bodies) {}
  void add(const WarpAccess& access, const Program& program);
  [[nodiscard]] std::uint64_t instructions() const;  ///< memory instructions of warps
  Requests& operator+=(const Requests& o);
  Requests& operator-=(const Requests& o);
  Requests& operator*=(std::uint64_t n);
};

/// Every number times the factor, to the nearest whole one.
Requests scaled(Requests requests, double factor);

/// What one block asks for; nothing is simulated.
Requests requests_of_block(WarpCode& code, const Grid& grid, std::vector<Int> environment,
                           const std::array<std::uint64_t, 3>& block);

/// What all blocks of a launch ask for, from one inner and one last block along each axis; none where blocks differ
/// otherwise (data, bounds or conditions that depend on the block, rows that are no multiple of a sector apart).
std::optional<Requests> census(WarpCode& code, const Grid& grid, const std::vector<Int>& environment,
                               std::uint32_t sector);

}  // namespace mansard
