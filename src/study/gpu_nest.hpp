// A nest mapped to a GPU, ready to be simulated: what its launches are and what it costs to simulate them.
#pragma once

#include <memory>
#include <vector>

#include "machine/gpu.hpp"
#include "model/occupancy.hpp"
#include "stream/gpu/blocks.hpp"
#include "stream/gpu/requests.hpp"

namespace mansard {

/// Warps keep references to the code, which keeps one to the launch.
struct MappedNest {
  Launch launch;
  std::unique_ptr<WarpCode> code;
  Occupancy occupancy;
  std::uint64_t l1_bytes = 0;
  BlockOptions options;
  std::vector<Int> environment;            ///< of a launch in the middle of the host loops
  Grid grid;                               ///< of that launch
  std::uint64_t launches = 0, blocks = 0;  ///< blocks of all launches
  Requests block;                          ///< of a block in the middle of the grid
  double cost = 1;                         ///< of simulating an instruction, over one that touches up to three lines
  double work = 0;                         ///< instructions of all launches times their cost, about
};

/// Throws InputError where the nest is not mapped, or its blocks do not fit.
std::unique_ptr<MappedNest> mapped_nest(const Program& program, std::size_t nest, const Gpu& gpu, std::uint64_t seed);

/// Bytes of the loads that a thread issues before it uses the first, in its longest body.
double thread_bytes(const Program& program, const Launch& launch);

/// Large pages that a block in the middle of the grid touches; `line` bytes are a line of the first cache.
double pages_of(const MappedNest& nest, const Program& program, std::uint64_t page, std::uint32_t line);

}  // namespace mansard
