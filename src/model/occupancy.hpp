// How many blocks of threads a multiprocessor holds at a time, and what limits them.
#pragma once

#include <cstdint>
#include <string>

#include "machine/gpu.hpp"
#include "stream/gpu/launch.hpp"

namespace mansard {

/// What one block needs.
struct BlockNeeds {
  std::uint32_t threads = 1;
  std::uint32_t registers = 0;          ///< 32-bit ones, of one thread
  bool registers_are_estimated = true;  ///< counted from the code, not given
  std::uint64_t shared = 0;             ///< bytes
};

struct Occupancy {
  BlockNeeds needs;
  std::uint32_t blocks = 0;  ///< of a multiprocessor at a time
  std::uint32_t warps = 0;   ///< of those blocks
  double share = 0;          ///< of the threads that it could hold
  std::string limited_by;    ///< "threads", "blocks", "registers" or "shared memory"
};

/// Of a launch. Without a number of registers in the mapping it is estimated: a base for addresses and indices, the
/// elements that the thread keeps, and those that one execution of its longest body loads, up to 16 in flight.
BlockNeeds needs_of(const Program& program, const Launch& launch);

/// Throws InputError at the mapping where no block fits.
Occupancy occupancy_of(const Gpu& gpu, const BlockNeeds& needs, const Position& at);

/// Bytes of an L1 that are left for data.
std::uint64_t l1_bytes(const Gpu& gpu, const Occupancy& occupancy);

}  // namespace mansard
