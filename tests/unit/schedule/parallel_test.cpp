// Which loops may be shared among cores.
#include "schedule/code.hpp"
#include "support/catch.hpp"
#include "support/kernel.hpp"

using namespace mansard;

namespace {

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

const std::string seidel =
    "double a[9][9];"
    "for (int j = 1; j < 8; ++j) for (int i = 1; i < 8; ++i) a[j][i] = 0.5 * (a[j-1][i+1] + a[j-1][i]);";
const std::string matmul =
    "double A[8][8], B[8][8], C[8][8];"
    "for (int i = 0; i < 8; ++i) for (int j = 0; j < 8; ++j) for (int k = 0; k < 8; ++k) C[i][j] += A[i][k] * B[k][j];";
const std::string sum = "double a[9]; double s; for (int i = 0; i < 9; ++i) s += a[i];";
const std::string spmv_data = "{row: {values: [0, 2, 4, 6]}, col: {values: [0, 1, 2, 3, 0, 1]}}";

}  // namespace

TEST_CASE("a loop that carries a dependence is not shared: statements, elements and distance are named") {
  CHECK(has(refusal_of(seidel, "parallel(j)"),
            "--schedule:1:1: iterations of loop 'j' depend on each other: S1 writes a[j][i], and later another "
            "iteration reads the same element as a[j-1][i+1] (distance j: 1, i: -1)"));
  CHECK(refusal_of(seidel, "parallel(i)").empty());
  CHECK(refusal_of(seidel, "tile(i: 3); parallel(i)").find("iterations of loop") == std::string::npos);
  CHECK(refusal_of(matmul, "parallel(i)").empty());
  CHECK(refusal_of(matmul, "tile(j: 4); parallel(jt)").empty());
  CHECK(has(refusal_of(matmul, "parallel(k)"), "iterations of loop 'k'"));
  CHECK(has(refusal_of(matmul, "tile(k: 4); parallel(kt)"), "(distance i: 0, j: 0, k: 1)"));
}

TEST_CASE("a sum is shared with `reassociate` only, and by OpenMP's reductions and atomics") {
  CHECK(has(refusal_of(sum, "parallel(i)"), "(distance i: 1)"));
  CHECK(has(to_program(kernel_of(sum, {}, "", "reassociate; parallel(i, chunk: 2)"), false),
            "#pragma omp parallel for schedule(static, 2) reduction(+ : s)"));
  CHECK(has(to_program(kernel_of(matmul, {}, "", "reassociate; parallel(k)"), false), "#pragma omp atomic"));
  CHECK_FALSE(has(to_program(kernel_of(matmul, {}, "", "reassociate; parallel(i)"), false), "#pragma omp atomic"));
}

TEST_CASE("what an iteration declares is its own") {
  const std::string code =
      "double a[4][4], b[4]; for (int j = 0; j < 4; ++j) { double t = 0; for (int i = 0; i < 4; ++i) t += a[j][i];"
      " b[j] = t; }";
  CHECK(refusal_of(code, "parallel(j)").empty());
  CHECK(has(refusal_of(code, "parallel(i)"), "t"));
}

TEST_CASE("a packed buffer is shared by all cores") {
  const std::string packed = "tile(i: 4, k: 4); order(j, i, k); stage(A, at: kt, into: Ap)";
  CHECK(has(refusal_of(matmul, packed + "; parallel(it)"), "Ap"));
  CHECK(refusal_of(matmul, packed + "; parallel(j)").empty());
}

TEST_CASE("a forced parallel loop is a warning") {
  Kernel kernel = kernel_of(seidel);
  apply_schedule(kernel, parse_schedule({"--schedule", "parallel(j)", 1, 0}), true);
  REQUIRE(kernel.warnings.size() == 1);
  CHECK(has(kernel.warnings.front(), "parallel(j) was forced although iterations of loop 'j' depend on each other"));
  CHECK(std::get<Loop>(kernel.nests[0].is).parallel);
}

TEST_CASE("of nests with indices from arrays it is known what every iteration writes") {
  const std::string code =
      "double v[6], x[4], y[3], z[1]; int col[6], row[4];"
      "for (int r = 0; r < 3; ++r) for (int p = row[r]; p < row[r+1]; ++p) ";
  CHECK(refusal_of(code + "y[r] += v[p] * x[col[p]];", "parallel(r)", spmv_data).empty());
  CHECK(has(refusal_of(code + "x[col[p]] += v[p] * y[r];", "parallel(r)", spmv_data),
            "S1 writes elements of x that col chooses, and several may be the same"));
  CHECK(refusal_of(code + "x[col[p]] += v[p] * y[r];", "reassociate; parallel(r)", spmv_data).empty());
  CHECK(
      has(refusal_of(code + "y[r] += v[p] * x[col[p]];", "parallel(p)", spmv_data), "S1 writes y[r] in each of them"));
  CHECK(
      has(refusal_of(code + "z[0] += v[p] * x[col[p]];", "parallel(r)", spmv_data), "S1 writes z[0] in each of them"));
  CHECK(refusal_of(code + "z[0] += v[p] * x[col[p]];", "reassociate; parallel(r)", spmv_data).empty());
}

TEST_CASE("chunks stay with their loop through later steps") {
  const Kernel kernel = kernel_of(matmul, {}, "", "parallel(i, chunk: 3); tile(j: 4); order(i, jt, j, k)");
  Int chunk = 0;
  visit_nodes(kernel.nests, [&](const Node& node) {
    const auto* loop = std::get_if<Loop>(&node.is);
    if (loop != nullptr && loop->name == "i") chunk = loop->chunk;
  });
  CHECK(chunk == 3);
}

TEST_CASE("a later step that moves a dependence into a shared loop is told") {
  const std::string diagonal =
      "double a[9][9]; for (int j = 1; j < 9; ++j) for (int i = 1; i < 9; ++i) a[j][i] = a[j-1][i-1];";
  CHECK(refusal_of(diagonal, "parallel(i)").empty());
  CHECK(refusal_of(diagonal, "interchange(j, i)").empty());
  CHECK(
      has(refusal_of(diagonal, "parallel(i); interchange(j, i)"),
          "--schedule:1:14: interchange would change the result: iterations of loop 'i', which is shared among cores, "
          "depend on each other: S1 writes a[j][i]"));
  const std::string two =
      "double a[9], b[9]; for (int i = 0; i < 9; ++i) a[i] = 1; for (int i = 1; i < 9; ++i) b[i] = a[i-1];";
  CHECK(refusal_of(two, "parallel(i)").empty());
  CHECK(has(refusal_of(two, "parallel(i); fuse(S1, S2)"),
            "S1 writes a[i], and later S2 reads the same element as a[i-1]"));
}
