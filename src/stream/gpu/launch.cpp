#include "stream/gpu/launch.hpp"

#include <algorithm>

namespace mansard {
namespace {

const StreamLoop* only_loop(std::span<const StreamNode> nodes) {
  const StreamLoop* found = nullptr;
  for (const StreamNode& node : nodes) {
    const auto* loop = std::get_if<StreamLoop>(&node.is);
    const auto* body = std::get_if<Body>(&node.is);
    const bool nothing = body != nullptr && body->refs.empty() && body->defines.empty();
    if (nothing) continue;  // `s = 0` before the loop: registers of the host
    if (loop == nullptr || found != nullptr) return nullptr;
    found = loop;
  }
  return found;
}

void nest_of_launches(std::span<const StreamLoop* const> host, std::vector<Int>& environment,
                      const std::function<void()>& visit) {
  if (host.empty()) return visit();
  const StreamLoop& loop = *host.front();
  const Trips trips = trips_of(loop, environment);
  for (std::uint64_t n = 0; n < trips.count; ++n) {
    environment[loop.slot] = trips.first + static_cast<Int>(n) * loop.step;
    nest_of_launches(host.subspan(1), environment, visit);
  }
}

}  // namespace

std::optional<Launch> launch_of(const Program& program, std::size_t nest) {
  Launch launch;
  launch.nest = nest;
  std::span<const StreamNode> nodes = program.nests[nest].nodes;
  for (const StreamLoop* loop = only_loop(nodes); loop != nullptr && launch.thread.empty(); loop = only_loop(nodes)) {
    if (loop->launch) launch.mapping = loop->launch;
    if (loop->role == GpuRole::none && launch.mapping) break;
    if (loop->role == GpuRole::none) launch.host.push_back(loop);
    if (loop->role == GpuRole::block) launch.blocks[loop->axis] = loop;
    if (loop->role == GpuRole::thread) launch.threads[loop->axis] = loop;
    nodes = loop->body;
    // A thread's own code may be one loop, too.
    const StreamLoop* next = only_loop(nodes);
    const bool ends = loop->role == GpuRole::thread && (next == nullptr || next->role != GpuRole::thread);
    if (ends) launch.thread = nodes;
  }
  if (!launch.mapping || launch.thread.empty()) return std::nullopt;
  return launch;
}

Grid grid_of(const Launch& launch, std::span<const Int> environment) {
  Grid grid;
  for (std::size_t a = 0; a < 3; ++a)
    grid.trips[a] = launch.blocks[a] == nullptr ? Trips{0, 1} : trips_of(*launch.blocks[a], environment);
  return grid;
}

std::array<std::uint64_t, 3> block_at(const Grid& grid, const std::array<Int, 2>& order, std::uint64_t n) {
  const std::uint64_t nx = grid.trips[0].count;
  const std::uint64_t ny = grid.trips[1].count;
  const std::uint64_t plane = nx * ny;
  const std::uint64_t z = n / plane;
  n %= plane;
  const auto tx = static_cast<std::uint64_t>(order[0]);
  const auto ty = static_cast<std::uint64_t>(order[1]);
  if (tx == 1 && ty == 1) return {n % nx, n / nx, z};
  // Rows of tiles; the last tile of a row and the last row may be smaller.
  const std::uint64_t row = n / (nx * ty);
  const std::uint64_t height = std::min(ty, ny - row * ty);
  n -= row * nx * ty;
  const std::uint64_t tile = n / (tx * height);
  const std::uint64_t width = std::min(tx, nx - tile * tx);
  n -= tile * tx * height;
  return {tile * tx + n % width, row * ty + n / width, z};
}

void place_block(const Launch& launch, const Grid& grid, const std::array<std::uint64_t, 3>& block,
                 std::vector<Int>& environment) {
  for (std::size_t a = 0; a < 3; ++a) {
    const StreamLoop* loop = launch.blocks[a];
    if (loop != nullptr) environment[loop->slot] = grid.trips[a].first + static_cast<Int>(block[a]) * loop->step;
  }
}

void each_launch(const Launch& launch, std::vector<Int>& environment, const std::function<void()>& visit) {
  nest_of_launches(launch.host, environment, visit);
}

}  // namespace mansard
