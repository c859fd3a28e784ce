// Layer conditions against forms that are written down: Stengel et al., ICS 2015 (2D and 3D Jacobi) and Hammer et al.,
// Kerncraft, 2017 (sum of gaps up to the reuse distance, the reuse distance for each longer gap).
#include "model/layer_condition.hpp"

#include "by_hand.hpp"
#include "support/catch.hpp"
#include "support/kernel.hpp"

using namespace mansard;

namespace {

NestReuse reuse(const std::string& code, const Definitions& definitions, bool repeated = false,
                const std::string& schedule = "") {
  const Program program = lower(kernel_of(code, definitions, "", schedule), {});
  return reuse_of(program.nests.front(), program.regions, 64, repeated);
}

const std::string jacobi_3d =
    "double a[N][N][N], b[N][N][N], s;"
    "for (int k = 1; k < N-1; ++k) for (int j = 1; j < N-1; ++j) for (int i = 1; i < N-1; ++i)"
    "  b[k][j][i] = s * (a[k][j][i-1] + a[k][j][i+1] + a[k][j-1][i] + a[k][j+1][i] + a[k-1][j][i] + a[k+1][j][i]);";

double moved(const NestReuse& nest, double bytes) {
  const LayerTraffic traffic = layer_traffic(nest, Bytes(bytes));
  return traffic.in + traffic.out + traffic.nontemporal;
}

}  // namespace

TEST_CASE("the 3D Jacobi has a condition for elements, for rows and for planes") {
  const NestReuse nest = reuse(jacobi_3d, {{"N", "100"}});
  REQUIRE(nest.walks.size() == 2);
  CHECK(nest.walks[0].array == "a");
  REQUIRE(nest.walks[0].gaps.size() == 6);  // k+1, j+1, i+1, i-1, j-1, k-1, never again
  CHECK(nest.walks[0].gaps[0] == 9900);
  CHECK(nest.walks[0].gaps[1] == 99);
  CHECK(nest.walks[0].gaps[2] == 2);

  const std::vector<LayerCondition> conditions = layer_conditions(nest);
  REQUIRE(conditions.size() == 3);
  CHECK(conditions[0].reuse == 2);
  CHECK(conditions[1].reuse == 99);
  CHECK(conditions[1].needed == Bytes(8 * (99 + 99 + 2 + 99 + 99 + 99 + 99)));  // the gaps of a, and a row of b
  CHECK(conditions[2].needed == Bytes(8 * (2 * 9900 + 2 * 99 + 2 + 9900 + 9900)));

  CHECK(moved(nest, 4'767) == 56);    // five rows of a come in; b comes in and goes out
  CHECK(moved(nest, 4'768) == 40);    // three planes
  CHECK(moved(nest, 318'400) == 24);  // a once
}

TEST_CASE("the 2D Jacobi keeps its rows up to N = 1024 in 32 KiB: three of a and one of b") {
  const std::string code =
      "double a[M][N], b[M][N], s; for (int j = 1; j < M-1; ++j) for (int i = 1; i < N-1; ++i)"
      "  b[j][i] = s * (a[j][i-1] + a[j][i+1] + a[j-1][i] + a[j+1][i]);";
  CHECK(moved(reuse(code, {{"N", "1024"}, {"M", "3000"}}), 32768) == 24);
  CHECK(moved(reuse(code, {{"N", "1026"}, {"M", "3000"}}), 32768) == 40);
}

TEST_CASE("in place, a line stays dirty over its reuses: 16 bytes, or one line more for each reuse that fails") {
  const std::string code =
      "double a[M][N]; for (int j = 1; j < M; ++j) for (int i = 0; i < N; ++i) a[j][i] = a[j][i] + a[j-1][i];";
  const NestReuse nest = reuse(code, {{"N", "1000"}, {"M", "500"}});
  CHECK(moved(nest, 16'000) == 16);
  CHECK(moved(nest, 15'000) == 24);  // read again a row later: clean by then
}

TEST_CASE("in steady state an array that fits is found again") {
  const std::string code = "double a[N], b[N]; for (int i = 0; i < N; ++i) b[i] = a[i];";
  CHECK(moved(reuse(code, {{"N", "1000"}}, true), 16'000) == 0);
  CHECK(moved(reuse(code, {{"N", "1000"}}, true), 15'999) == 24);
  CHECK(moved(reuse(code, {{"N", "1000"}}, false), 16'000) == 24);
}

TEST_CASE("a loop that does not move a walk brings it back") {
  const std::string code =
      "double A[M][N], x[N], y[M]; for (int j = 0; j < M; ++j) for (int i = 0; i < N; ++i) y[j] += A[j][i] * x[i];";
  const NestReuse nest = reuse(code, {{"N", "1000"}, {"M", "50"}});
  CHECK(moved(nest, 16'000) == 8);  // x and as much of A
  CHECK(moved(nest, 15'999) == 16);
}

TEST_CASE("non-temporal stores take no room and go to memory") {
  const std::string code = "double a[N], b[N]; for (int i = 0; i < N; ++i) b[i] = a[i];";
  const NestReuse nest = reuse(code, {{"N", "1000"}}, false, "nontemporal(b)");
  CHECK(moved(nest, 100) == 16);
  CHECK(layer_traffic(nest, Bytes(100)).nontemporal == 8);
}

TEST_CASE("strides move whole lines at most, and element types their size") {
  CHECK(moved(reuse("float a[N]; float s; for (int i = 0; i < N; ++i) s += a[i];", {{"N", "1000"}}), 64) == 4);
  CHECK(moved(reuse("double a[N], s; for (int i = 0; i < N; i += 16) s += a[i];", {{"N", "1000"}}), 64) == 64);
}

TEST_CASE("a victim level adds to the one above, and everything that leaves goes into it") {
  Machine machine = by_hand::sandy_bridge();
  machine.caches.back().role = Role::victim;
  const auto traffic = layer_bytes_per_update(reuse(jacobi_3d, {{"N", "500"}}), machine);
  REQUIRE(traffic.size() == 3);
  CHECK(traffic[0] == 40);
  CHECK(traffic[1] == 2 * 32 - 16);  // four lines of 8 elements in, of which a and b from memory; four out
  CHECK(traffic[2] == 24);
}

TEST_CASE("what has no closed form says why") {
  const auto why = [](const std::string& code) { return reuse(code, {{"N", "40"}}).why_not; };
  CHECK(why("double a[N][N], b[N][N]; for (int j = 0; j < N; ++j) for (int i = 0; i < N; ++i) b[i][j] = a[j][i];") ==
        "b is not walked in the order of its memory");
  CHECK(why("double a[N][N]; for (int j = 0; j < N; ++j) for (int i = 0; i <= j; ++i) a[j][i] = 1;") ==
        "the bounds of a loop depend on another one or on data");
  CHECK(why("double a[2][N]; for (int t = 0; t < 9; ++t) for (int i = 0; i < N; ++i) a[(t+1)%2][i] = a[t%2][i];") ==
        "a subscript is not affine");
  CHECK(why("double a[N], s; for (int j = 0; j < N; ++j) { for (int i = 0; i < N; ++i) s += a[i];"
            " for (int i = 0; i < N; ++i) a[i] = s; }") == "there is more than one loop or body at the same depth");
}
