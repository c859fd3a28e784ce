#include "stream/shape.hpp"

#include "support/catch.hpp"
#include "support/kernel.hpp"

using namespace mansard;

namespace {

/// The stretches of the outermost loop of the first nest, on 64-byte lines.
std::vector<Stretch> stretches(const std::string& code, const Definitions& definitions = {}) {
  const Program p = lower(kernel_of(code, definitions), {});
  for (const StreamNode& node : p.nests[0].nodes) {
    const auto* loop = std::get_if<StreamLoop>(&node.is);
    if (loop == nullptr) continue;
    const std::vector<Int> environment(p.slots, 0);
    const Int first = loop->lower[0].at(environment);
    const auto count = static_cast<std::uint64_t>(loop->upper[0].at(environment) - first + 1);
    return ShapeFinder(64).stretches(*loop, first, count, environment);
  }
  return {};
}

}  // namespace

TEST_CASE("rows of whole lines repeat every iteration, others after some") {
  const std::string code =
      "double a[M][N], b[M][N]; for (int j = 1; j < M-1; ++j) for (int i = 1; i < N-1; ++i) b[j][i] = a[j-1][i] + "
      "a[j+1][i];";
  auto s = stretches(code, {{"M", "20"}, {"N", "64"}});
  REQUIRE(s.size() == 1);
  CHECK(s[0].period == 1);
  CHECK(s[0].lines == 8);
  s = stretches(code, {{"M", "20"}, {"N", "65"}});
  CHECK(s[0].period == 8);
  CHECK(s[0].lines == 65);
}

TEST_CASE("arrays that move by different distances do not repeat") {
  CHECK(stretches("double A[8][8], B[8][8], C[8][8]; for (int i = 0; i < 8; ++i) for (int j = 0; j < 8; ++j)"
                  " for (int k = 0; k < 8; ++k) C[i][j] += A[i][k] * B[k][j];")[0]
            .period == 0);
}

TEST_CASE("a time loop over the same arrays repeats in place; with t%2 every second iteration") {
  CHECK(stretches("double a[64]; for (int t = 0; t < 9; ++t) for (int i = 0; i < 64; ++i) a[i] += 1.0;")[0].lines == 0);
  const auto s =
      stretches("double a[2][64]; for (int t = 0; t < 9; ++t) for (int i = 0; i < 64; ++i) a[(t+1)%2][i] = a[t%2][i];");
  CHECK(s[0].period == 2);
  CHECK(s[0].lines == 0);
}

TEST_CASE("a loop is cut where a condition flips") {
  const auto s = stretches(
      "double a[16][64]; for (int j = 0; j < 16; ++j) for (int i = 0; i < 64; ++i) if (j < 5) a[j][i] = 1.0;");
  REQUIRE(s.size() >= 2);
  std::uint64_t covered = 0;
  for (const Stretch& stretch : s) {
    CHECK(stretch.from == covered);
    covered = stretch.to;
    CHECK((stretch.from >= 5 || stretch.to <= 5));
  }
  CHECK(covered == 16);
}

TEST_CASE("tiles move along, and the last partial one is cut off") {
  const auto s = stretches(
      "double a[60][64]; for (int jt = 0; jt < 60; jt += 1) for (int j = jt; j < min(60, jt + 8); ++j)"
      " for (int i = 0; i < 64; ++i) a[j][i] = 1.0;");
  CHECK(s[0].period == 1);
  CHECK(s[0].lines == 8);
  CHECK(s[0].to <= 53);
}

TEST_CASE("gathers and triangles do not repeat") {
  CHECK(stretches("double a[64][64]; for (int j = 0; j < 64; ++j) for (int i = 0; i < j; ++i) a[j][i] = 1.0;")[0]
            .period == 0);
}
