// Every short cut of the engine is really taken: look-ups of the first cache against the accesses they stand for. Equal
// counters alone would not tell of a fall-back to the slow way.
#include "both.hpp"
#include "stream/walker.hpp"
#include "support/kernel.hpp"

using namespace mansard;
using namespace mansard::test;

namespace {

struct Cost {
  std::uint64_t accesses, lookups;
  [[nodiscard]] double share() const { return static_cast<double>(lookups) / static_cast<double>(accesses); }
};

/// Of one cold walk, whose counters must be the naive twin's.
Cost cost_of(const Program& program, const Geometry& geometry, bool fast_forward = false, const Share& share = {}) {
  const auto walk = [&](Hierarchy& hierarchy) {
    Walker walker(program, hierarchy.loop_hook());
    for (const Nest& nest : program.nests) walker.walk(nest, [&](const Batch& batch) { hierarchy.consume(batch); });
  };
  const auto fast = make_hierarchy(geometry, program.regions, fast_forward, share);
  walk(*fast);
  if (share.everything()) {
    const auto naive = make_naive(geometry, program.regions);
    walk(*naive);
    REQUIRE(fast->counters() == naive->counters());
  }
  return {fast->counters().requests(), fast->lookups()};
}

Program program_of(const std::string& code, const Definitions& definitions, const std::string& data = "") {
  return lower(kernel_of(code, definitions, data), {});
}

const char* const stencil =
    "double a[N][M], b[N][M];"
    "for (int j = 1; j < N - 1; ++j) for (int i = 1; i < M - 1; ++i)"
    "  b[j][i] = a[j][i-1] + a[j][i+1] + a[j-1][i] + a[j+1][i];";
const char* const blocked_gemm =
    "double A[N][N], B[N][N], C[N][N];"
    "for (int ii = 0; ii < N; ii += 16) for (int kk = 0; kk < N; kk += 16) for (int jj = 0; jj < N; jj += 16)"
    "  for (int i = ii; i < min(N, ii + 16); ++i) for (int k = kk; k < min(N, kk + 16); ++k)"
    "    for (int j = jj; j < min(N, jj + 16); ++j) C[i][j] += A[i][k] * B[k][j];";
const char* const spmv =
    "double val[nnz], x[ncols], y[nrows]; int col[nnz], row[nrows+1];"
    "for (int r = 0; r < nrows; ++r) { double sum = 0;"
    "  for (int p = row[r]; p < row[r+1]; ++p) sum += val[p] * x[col[p]];"
    "  y[r] = sum; }";
const char* const matrix = "A: {random_uniform: {rows: 500, columns: 500, per_row: 64, seed: 1}}";

const Geometry lru_levels{64, {lru(64, 8), lru(512, 8)}};

}  // namespace

// Eight doubles a line and three streams (the rows of a) and one (b): with what starts and ends a run, one touch in
// eight of four out of five references, and less.
TEST_CASE("runs are reduced to about one look-up a line and stream") {
  const Program program = program_of(stencil, {{"N", "20"}, {"M", "2002"}});
  CHECK(cost_of(program, lru_levels).share() < 0.15);
  CHECK(cost_of(program, {64, {lru(64, 8), with(lru(512, 8), Role::inclusive)}}).share() < 0.25);
  CHECK(cost_of(program, {64, {lru(64, 8), with(lru(512, 8), Role::victim)}}).share() < 0.15);
  CHECK(cost_of(program, {64, {fifo(64, 8), fifo(512, 8)}}).share() < 0.25);
  // Policies without an order of lines run element by element.
  CHECK(cost_of(program, {64, {by("tree-plru", 64, 8)}}).share() == 1.0);
}

TEST_CASE("a run that comes as single accesses is found, and reduced") {
  const auto fast = make_hierarchy(lru_levels, {{"a", 0, 1}}), naive = make_naive(lru_levels, {{"a", 0, 1}});
  std::vector<Element> elements;
  for (std::uint64_t i = 1; i < 1000; ++i) {
    for (const std::uint64_t at : {i - 1, i + 1, i + 10'000}) elements.push_back({8 * at, 0, 8, Kind::load});
    elements.push_back({8 * (i + 20'000), 0, 8, Kind::store});
  }
  fast->consume(std::span<const Element>(elements));
  naive->consume(std::span<const Element>(elements));
  CHECK(fast->counters() == naive->counters());
  CHECK(fast->lookups() < elements.size() / 5);
}

TEST_CASE("a share of the sets gets its share of a reduced run") {
  const Program program = program_of(stencil, {{"N", "20"}, {"M", "2002"}});
  const std::uint64_t whole = cost_of(program, lru_levels).lookups;
  const std::uint64_t half = cost_of(program, lru_levels, false, Share{2, 1, false}).lookups;
  CHECK(half * 10 < whole * 6);
}

// A row of 2000 doubles is 250 lines and repeats itself at once; one of 2003 does so after eight of them.
TEST_CASE("with fast-forward, ten times the rows take the same look-ups") {
  const char* const row = GENERATE("2000", "2003");
  const Cost small = cost_of(program_of(stencil, {{"N", "200"}, {"M", row}}), lru_levels, true);
  const Cost large = cost_of(program_of(stencil, {{"N", "2000"}, {"M", row}}), lru_levels, true);
  CHECK(large.accesses > 9 * small.accesses);
  CHECK(large.lookups < small.lookups + small.lookups / 10);
}

TEST_CASE("with fast-forward, a long one-dimensional run takes the look-ups of a few pieces") {
  const char* const copy = "double a[N], b[N]; for (int i = 0; i < N; ++i) b[i] = a[i];";
  const Cost small = cost_of(program_of(copy, {{"N", "400000"}}), lru_levels, true);
  const Cost large = cost_of(program_of(copy, {{"N", "4000000"}}), lru_levels, true);
  CHECK(large.lookups < small.lookups + small.lookups / 10);
}

// Three blocks of 16*16 doubles are 96 lines for 3*16^3 accesses: two touches a line are one look-up in 64. Run by run
// it would be (6 + 3*2) of 48. Each block's shape and place is seen a few times before it is known.
TEST_CASE("blocks that fit into the first cache take two look-ups a line") {
  const Program program = program_of(blocked_gemm, {{"N", "160"}});
  CHECK(cost_of(program, {64, {lru(64, 8), lru(512, 8)}}).share() < 0.04);
  // With a policy that the argument does not hold for, every run is simulated.
  CHECK(cost_of(program, {64, {fifo(64, 8), fifo(512, 8)}}).share() > 0.1);
}

// Rows of 1280 B put the blocks' lines into a few sets only: the sets are crowded, and less can be left out.
TEST_CASE("blocks in crowded sets take fewer look-ups than their runs") {
  const Program program = program_of(blocked_gemm, {{"N", "160"}});
  CHECK(cost_of(program, {64, {lru(16, 8), lru(512, 8)}}).share() < 0.1);
}

// Of the eight touches of a line of val and the sixteen of col the first and the last are kept, and with 16 ways one in
// twelve between them; x stays: (1 + 2/8 + 3/16) / 3, and y.
TEST_CASE("in gathers the affine references are thinned out") {
  const Program program = program_of(spmv, {}, matrix);
  CHECK(cost_of(program, {64, {lru(64, 16), lru(512, 8)}}).share() < 0.51);
  CHECK(cost_of(program, {64, {by("tree-plru", 64, 8)}}).share() == 1.0);
}

// Eight columns of B are 32 lines in two sets, which miss all the time; nothing but C and the line of the columns
// moves. Of the eight iterations of j that stay in their lines two are made, the second to see that the first was the
// same.
TEST_CASE("with fast-forward, columns that stay in their lines take the look-ups of two") {
  const char* const product =
      "double A[8][32], B[32][64], C[8][64];"
      "for (int i = 0; i < 8; ++i) for (int j = 0; j < 64; ++j) for (int k = 0; k < 32; ++k) C[i][j] += A[i][k] * "
      "B[k][j];";
  const Program program = program_of(product, {});
  const Geometry geometry{64, {lru(16, 8), lru(512, 8)}};
  CHECK(cost_of(program, geometry, true).lookups * 10 < cost_of(program, geometry).lookups * 4);
}

// The sweeps after the first find all lines; that they do so once is enough to know that they will.
TEST_CASE("with fast-forward, sweeps over what fits are made twice") {
  const char* const sweeps =
      "double a[200], b[200]; for (int t = 0; t < T; ++t) for (int i = 0; i < 200; ++i) b[i] = a[i];";
  const Geometry geometry{64, {lru(64, 8), lru(512, 8)}};
  const Cost two = cost_of(program_of(sweeps, {{"T", "2"}}), geometry, true);
  CHECK(cost_of(program_of(sweeps, {{"T", "50"}}), geometry, true).lookups == two.lookups);
}

TEST_CASE("a row that is periodic is a run in pieces") {
  const char* const row = "double a[N], b[N]; for (int i = 0; i < N; ++i) b[i] = a[(i + 1) % N] + a[(i + N - 1) % N];";
  CHECK(cost_of(program_of(row, {{"N", "2000"}}), lru_levels).share() < 0.2);
}

// A sweep leaves the lines of a tree-PLRU set in ways that depend on its length. Nobody can tell, until two ways become
// empty and the left one is filled first.
TEST_CASE("fast-forward leaves lines in their ways where some are taken out later") {
  const std::string sweep = GENERATE("40", "41", "42", "43", "44", "45", "46", "47");
  const std::string code =
      "double a[64][8], b[4][8]; double s;"
      "for (int i = 0; i < N; ++i) for (int j = 0; j < 8; ++j) s += a[i][j];"
      "for (int i = 0; i < 2; ++i) for (int j = 0; j < 8; ++j) s += b[i][j];"
      "for (int i = 0; i < 2; ++i) for (int j = 0; j < 8; ++j) b[i][j] = 1;"  // past the cache, which loses both lines
      "for (int i = 50; i < 53; ++i) for (int j = 0; j < 8; ++j) s += a[i][j];"
      "for (int i = 50; i < 53; ++i) for (int j = 0; j < 8; ++j) s += a[i][j];"
      "for (int i = 0; i < N; ++i) for (int j = 0; j < 8; ++j) s += a[N-1-i][j];";
  const Program program = lower(kernel_of(code, {{"N", sweep}}, "", "nontemporal(b)"), {});
  cost_of(program, {64, {by("tree-plru", 1, 4)}}, true);  // requires the naive twin's counters
  cost_of(program, {64, {by("tree-plru", 1, 8)}}, true);
}
