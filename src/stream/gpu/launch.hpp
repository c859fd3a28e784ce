// The launches of a program: nests whose loops the schedule has mapped to blocks and threads of a GPU.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "stream/program.hpp"
#include "stream/walker.hpp"

namespace mansard {

/// A mapped nest, taken apart.
struct Launch {
  std::size_t nest = 0;
  std::vector<const StreamLoop*> host;         ///< outermost first: every iteration launches the kernel anew
  std::array<const StreamLoop*, 3> blocks{};   ///< x, y, z; null: one block
  std::array<const StreamLoop*, 3> threads{};  ///< null: one thread
  std::span<const StreamNode> thread;          ///< what one thread does
  std::shared_ptr<const GpuMapping> mapping;

  [[nodiscard]] std::uint32_t threads_per_block() const {
    return mapping->block[0] * mapping->block[1] * mapping->block[2];
  }
};

/// Of a nest; none if it is not mapped.
std::optional<Launch> launch_of(const Program& program, std::size_t nest);

/// Blocks of one launch along x, y, z, given the values of the host loops' slots.
struct Grid {
  std::array<Trips, 3> trips;
  [[nodiscard]] std::uint64_t blocks() const { return trips[0].count * trips[1].count * trips[2].count; }
};
Grid grid_of(const Launch& launch, std::span<const Int> environment);

/// Coordinates of the n-th block in the order in which blocks start: along x first, tile by tile where the mapping says
/// so.
std::array<std::uint64_t, 3> block_at(const Grid& grid, const std::array<Int, 2>& order, std::uint64_t n);

/// Sets the slots of the block loops to a block's first iterations.
void place_block(const Launch& launch, const Grid& grid, const std::array<std::uint64_t, 3>& block,
                 std::vector<Int>& environment);

/// Calls visit() for every iteration of the host loops, in order, with their slots set.
void each_launch(const Launch& launch, std::vector<Int>& environment, const std::function<void()>& visit);

}  // namespace mansard
