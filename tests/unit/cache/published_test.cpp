// Counts that others published, replayed as they describe them.
#include "both.hpp"

using namespace mansard;
using mansard::test::Both;
using mansard::test::lru;

// The example of pycachesim's documentation: Sandy Bridge, three accesses, drained at the end.
TEST_CASE("pycachesim: load, store and load on Sandy Bridge") {
  Both caches({lru(64, 8), lru(512, 8), lru(20480, 16)});
  caches.access(2342, 1, Kind::load);
  caches.access(512, 8, Kind::store);
  caches.access(512, 8, Kind::load);
  caches.drain();
  CHECK(caches.level(0).hits() == 1);
  CHECK(caches.level(0).misses() == 2);
  CHECK(caches.boundary(3).in() == 128);
  CHECK(caches.boundary(3).out() == 64);
  CHECK(caches.dirty_lines() == 0);
}

// a = b + c * d over 2*10^6 doubles in accesses of 16 B, cold and not drained. What is left dirty in a level is a
// quarter of its lines.
TEST_CASE("pycachesim: a vector triad leaves a quarter of each cache dirty") {
  constexpr Int bytes = 16'000'000;
  std::vector<Region> regions;
  for (Int n = 0; n < 4; ++n) regions.push_back({"", static_cast<std::uint64_t>(n * bytes), bytes});
  const Geometry geometry{64, {lru(64, 8), lru(512, 8), lru(9216, 16)}};
  const bool naive = GENERATE(false, true);
  const auto caches = naive ? make_naive(geometry, regions) : make_hierarchy(geometry, regions);
  const std::vector<StreamRef> refs{
      {{}, 1, 16, Kind::load}, {{}, 2, 16, Kind::load}, {{}, 3, 16, Kind::load}, {{}, 0, 16, Kind::store}};
  const std::vector<Int> base{bytes, 2 * bytes, 3 * bytes, 0}, stride{16, 16, 16, 16};
  caches->consume(Run{refs, base, stride, bytes / 16});

  const Counters& c = caches->counters();
  for (const LevelCount& level : c.levels) CHECK(level.misses() == Approx(1e6).epsilon(0.001));
  CHECK(static_cast<double>(c.boundary(1).write_back) / 64 == Approx(249'873).epsilon(0.001));
  CHECK(static_cast<double>(c.boundary(2).write_back) / 64 == Approx(248'977).epsilon(0.001));
  CHECK(static_cast<double>(c.boundary(3).write_back) / 64 == Approx(213'137).epsilon(0.001));
}

namespace {

std::uint64_t gemm_misses(const std::unique_ptr<Hierarchy>& cache, bool in_register) {
  constexpr Int n = 256, matrix = n * n * 8;
  const std::vector<StreamRef> sum{{{}, 0, 8, Kind::load}}, result{{{}, 0, 8, Kind::store}};
  std::vector<StreamRef> inner{{{}, 1, 8, Kind::load}, {{}, 2, 8, Kind::load}};
  std::vector<Int> stride{8, 8 * n};
  if (!in_register) {
    inner.insert(inner.begin(), sum.front());
    inner.push_back(result.front());
    stride = {0, 8, 8 * n, 0};
  }
  for (Int i = 0; i < n; ++i) {
    for (Int j = 0; j < n; ++j) {
      const Int c = (i * n + j) * 8, a = matrix + i * n * 8, b = 2 * matrix + j * 8;
      const std::vector<Int> at_c{c}, still{0},
          at = in_register ? std::vector<Int>{a, b} : std::vector<Int>{c, a, b, c};
      if (in_register) cache->consume(Run{sum, at_c, still, 1});
      cache->consume(Run{inner, at, stride, n});
      if (in_register) cache->consume(Run{result, at_c, still, 1});
    }
  }
  return cache->counters().levels[0].misses();
}

}  // namespace

// C[i][j] += A[i][k] * B[k][j] with n = 256 on one fully associative cache of 32 lines of 64 B.
TEST_CASE("naive matrix product on 32 lines") {
  const Geometry geometry{64, {lru(1, 32)}};
  const std::vector<Region> regions{{"C", 0, 1}, {"A", 256 * 256 * 8, 1}, {"B", 2 * 256 * 256 * 8, 1}};
  const bool naive = GENERATE(false, true);
  const auto make = [&] { return naive ? make_naive(geometry, regions) : make_hierarchy(geometry, regions); };
  CHECK(gemm_misses(make(), true) == 18'948'096);
  CHECK(gemm_misses(make(), false) == 18'882'560);
}
