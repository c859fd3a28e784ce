// Shares of the sets: who gets which, and that they add up to the whole.
#include "study/shares.hpp"

#include "cache/policy.hpp"
#include "input/diagnostic.hpp"
#include "stream/walker.hpp"
#include "support/catch.hpp"
#include "support/kernel.hpp"

using namespace mansard;

namespace {

Geometry caches(std::vector<std::uint64_t> sets) {
  Geometry geometry{64, {}};
  for (const std::uint64_t n : sets) {
    LevelGeometry level;
    level.sets = n;
    level.ways = 4;
    level.policy = find_policy("lru");
    geometry.levels.push_back(level);
  }
  return geometry;
}

const Program& stencil() {
  static const Program program = lower(kernel_of("double a[N][M], b[N][M];"
                                                 "for (int j = 1; j < N - 1; ++j) for (int i = 1; i < M - 1; ++i)"
                                                 "  b[j][i] = a[j][i-1] + a[j][i+1] + a[j-1][i] + a[j+1][i];",
                                                 {{"N", "60"}, {"M", "301"}}),
                                       {});
  return program;
}

/// One share alone, as a thread does it: cold, drained.
Simulation simulate_alone(const Program& program, const Geometry& geometry, const Share& share) {
  const auto hierarchy = make_hierarchy(geometry, program.regions, true, share);
  Walker walker(program, hierarchy->loop_hook());
  walker.walk(program.nests.front(), [&](const Batch& batch) { hierarchy->consume(batch); });
  Simulation result;
  result.dirty_left = hierarchy->dirty_lines();
  hierarchy->drain();
  result.nests.push_back({"S", walker.executions(), {}, hierarchy->counters(), {}});
  return result;
}

}  // namespace

TEST_CASE("sets fall into as many classes as divide every level, a power of two up to 64") {
  CHECK(set_classes(caches({64, 1024, 32768})) == 64);
  CHECK(set_classes(caches({64, 1024, 28160})) == 64);  // 2^9 * 55
  CHECK(set_classes(caches({48, 1024})) == 16);
  CHECK(set_classes(caches({64, 27})) == 1);
  Geometry hashed = caches({64, 64});
  hashed.levels[1].hash = {64, 128, 256, 512, 1024, 2048};
  CHECK(set_classes(hashed) == 1);
  Geometry prefetching = caches({64, 64});
  prefetching.levels[0].prefetch.adjacent = true;
  CHECK(set_classes(prefetching) == 1);
}

TEST_CASE("threads share out all classes, each to one, and evenly") {
  const unsigned threads = GENERATE(1U, 2U, 3U, 5U, 8U, 64U);
  const std::vector<Share> shares = shares_for_threads(caches({64, 1024}), threads);
  REQUIRE(shares.size() == threads);
  std::uint64_t all = 0;
  int least = 64, most = 0;
  for (const Share& share : shares) {
    CHECK((all & share.mine) == 0);
    all |= share.mine;
    least = std::min(least, std::popcount(share.mine));
    most = std::max(most, std::popcount(share.mine));
  }
  CHECK(Share{shares.front().classes, all, false}.everything());
  CHECK(10 * (most - least) <= 4 * most);  // 5 threads: 64 classes, 12 or 13 each
}

TEST_CASE("where there are fewer classes than threads, fewer threads take part") {
  CHECK(shares_for_threads(caches({4, 1024}), 7).size() == 4);
  REQUIRE(shares_for_threads(caches({27}), 7).size() == 1);
  CHECK(shares_for_threads(caches({27}), 7).front().everything());
}

TEST_CASE("a share has the lines of its classes, and tells its classes apart") {
  const Share share{8, 0b1001'0010, true};  // classes 1, 4 and 7
  CHECK(share.has(1) == 1);
  CHECK(share.has(12) == 1);
  CHECK(share.has(800) == 0);
  CHECK(share.groups() == 3);
  CHECK(share.group(9) == 0);
  CHECK(share.group(4) == 1);
  CHECK(share.group(15) == 2);
  CHECK_FALSE(share.everything());
  CHECK(Share{}.everything());
  CHECK(Share{64, ~std::uint64_t{0}, false}.everything());
}

TEST_CASE("the shares of all classes add up to the whole") {
  const Geometry geometry = caches({8, 64, 7 * 128});
  const Simulation whole = simulate_alone(stencil(), geometry, {});
  std::vector<Simulation> parts;
  for (unsigned c = 0; c < 8; ++c) {
    parts.push_back(simulate_alone(stencil(), geometry, Share{8, std::uint64_t{1} << c, false}));
  }
  const Simulation sum = joined(std::move(parts));
  CHECK(sum.nests.front().counters == whole.nests.front().counters);
  CHECK(sum.dirty_left == whole.dirty_left);
}

TEST_CASE("samples scaled up, one for each class, average to the whole") {
  const Geometry geometry = caches({8, 64});
  const Simulation whole = simulate_alone(stencil(), geometry, {});
  std::uint64_t bytes = 0, dirty = 0;
  for (unsigned c = 0; c < 8; ++c) {
    Simulation sample = simulate_alone(stencil(), geometry, Share{8, std::uint64_t{1} << c, false});
    scale_up(sample, 8);
    const Counters& scaled = sample.nests.front().counters;
    CHECK(scaled.requests() == whole.nests.front().counters.requests());
    CHECK(scaled.flows.front() == whole.nests.front().counters.flows.front());  // what the core asks for is exact
    CHECK(scaled.levels[0].hits() + scaled.levels[0].misses() == scaled.line_lookups);
    bytes += scaled.boundary(2).total();
    dirty += sample.dirty_left;
  }
  CHECK(bytes == 8 * whole.nests.front().counters.boundary(2).total());
  CHECK(dirty == 8 * whole.dirty_left);
}

// Arrays of 2^10 whole lines: every class gets the same number of lines of each.
TEST_CASE("a stream that treats all sets alike is sampled without error") {
  const Program copy =
      lower(kernel_of("double a[N], b[N]; for (int i = 0; i < N; ++i) b[i] = a[i];", {{"N", "8192"}}), {});
  const Geometry geometry = caches({64, 128});
  SimulateOptions options;
  options.cold = true;
  const Simulation whole = simulate(copy, geometry, options);
  options.sample = 4;
  const Simulation sample = simulate(copy, geometry, options);
  for (std::size_t b = 0; b < 3; ++b) {
    CHECK(sample.nests.front().counters.flows[b] == whole.nests.front().counters.flows[b]);
  }
  CHECK(sample.nests.front().counters.levels == whole.nests.front().counters.levels);
  CHECK(sample.spread == std::vector<double>{0, 0});
}

TEST_CASE("a sample of fewer than two classes is refused") {
  CHECK(std::popcount(share_for_sample(caches({64, 1024}), 16).mine) == 4);
  CHECK(std::popcount(share_for_sample(caches({64, 1024}), 32).mine) == 2);
  CHECK_THROWS_AS(share_for_sample(caches({16, 1024}), 16), InputError);
  CHECK_THROWS_AS(share_for_sample(caches({27, 1024}), 2), InputError);
}
