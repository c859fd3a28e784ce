#include "stream/gpu/blocks.hpp"
#include "stream/gpu/launch.hpp"
#include "stream/gpu/requests.hpp"
#include "support/catch.hpp"
#include "support/kernel.hpp"

using namespace mansard;

namespace {

const std::string copy =
    "double a[8][64], b[8][64];"
    "for (int j = 0; j < 8; ++j) for (int i = 0; i < 64; ++i) b[j][i] = a[j][i];";

Grid grid(std::uint64_t x, std::uint64_t y, std::uint64_t z = 1) { return {{Trips{0, x}, Trips{0, y}, Trips{0, z}}}; }

using At = std::array<std::uint64_t, 3>;

}  // namespace

TEST_CASE("blocks start along x, then y, then z") {
  CHECK(block_at(grid(3, 2, 2), {1, 1}, 4) == At{1, 1, 0});
  CHECK(block_at(grid(3, 2, 2), {1, 1}, 7) == At{1, 0, 1});
}

TEST_CASE("blocks in tiles: 2x2 of a 5x3 grid, the last tiles smaller") {
  std::vector<At> order;
  for (std::uint64_t n = 0; n < 15; ++n) order.push_back(block_at(grid(5, 3), {2, 2}, n));
  CHECK(order == std::vector<At>{{0, 0, 0},
                                 {1, 0, 0},
                                 {0, 1, 0},
                                 {1, 1, 0},
                                 {2, 0, 0},
                                 {3, 0, 0},
                                 {2, 1, 0},
                                 {3, 1, 0},
                                 {4, 0, 0},
                                 {4, 1, 0},
                                 {0, 2, 0},
                                 {1, 2, 0},
                                 {2, 2, 0},
                                 {3, 2, 0},
                                 {4, 2, 0}});
}

TEST_CASE("a mapped nest is a launch; others are not") {
  const Program plain = lower(kernel_of(copy), {});
  CHECK_FALSE(launch_of(plain, 0));
  const Program mapped = lower(kernel_of(copy, {}, "", "gpu(x: i, y: j, block: 16x3)"), {});
  const auto launch = launch_of(mapped, 0);
  REQUIRE(launch);
  CHECK(launch->threads_per_block() == 48);
  const Grid g = grid_of(*launch, std::vector<Int>(mapped.slots));
  CHECK(g.trips[0].count == 4);
  CHECK(g.trips[1].count == 3);  // the last one has two rows of threads
}

TEST_CASE("loops above the mapped ones launch the kernel anew") {
  const std::string sweeps =
      "double a[2][64]; for (int t = 0; t < 3; ++t) for (int i = 0; i < 64; ++i) a[(t+1)%2][i] = a[t%2][i];";
  const Program program = lower(kernel_of(sweeps, {}, "", "gpu(x: i, block: 32)"), {});
  const auto launch = launch_of(program, 0);
  REQUIRE(launch);
  std::vector<Int> environment(program.slots);
  int launches = 0;
  each_launch(*launch, environment, [&] { ++launches; });
  CHECK(launches == 3);
}

TEST_CASE("a launch asks for every element once, wherever its blocks run") {
  const Program program = lower(kernel_of(copy, {}, "", "gpu(x: i, y: j, block: 32x2)"), {});
  const auto launch = launch_of(program, 0);
  REQUIRE(launch);
  WarpCode code(program, *launch, 32, {});
  const std::vector<Int> environment(program.slots);
  const Grid g = grid_of(*launch, environment);
  for (const WarpOrder order : {WarpOrder::lockstep, WarpOrder::random}) {
    Requests requests(program);
    WarpWork work{requests.warps, requests.lanes};
    BlockWalker walker(code, work, {.sms = 3, .dies = 1, .blocks_per_sm = 2, .order = order, .drift = 8, .seed = 7});
    std::uint32_t last_sm = 0;
    walker.begin(g, environment, 0, g.blocks());
    while (walker.turn([&](std::uint32_t sm, const WarpAccess& a) {
      last_sm = std::max(last_sm, sm);
      requests.add(a, program);
    })) {
    }
    CHECK(walker.finished() == 8);
    CHECK(last_sm == 2);
    CHECK(requests.arrays[0].load_bytes == 8 * 64 * 8);
    CHECK(requests.arrays[0].load_sectors == 8 * 64 * 8 / 32);
    CHECK(requests.arrays[1].store_sectors == 8 * 64 * 8 / 32);
    CHECK(requests.instructions() == 32);  // 16 warps, a load and a store each
  }
}
