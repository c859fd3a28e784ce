// Steps that rearrange affine nests: the loops that come out, and what is refused.
#include "support/catch.hpp"
#include "support/interpret.hpp"
#include "support/kernel.hpp"
#include "workload/print.hpp"

using namespace mansard;

namespace {

Kernel scheduled(const std::string& code, const std::string& schedule) { return kernel_of(code, {}, "", schedule); }

/// "j=1..8+2 i=…": the chain of outermost loops with constant bounds.
std::vector<std::string> loop_names(const Kernel& kernel) {
  std::vector<std::string> names;
  visit_nodes(kernel.nests, [&](const Node& node) {
    if (const auto* loop = std::get_if<Loop>(&node.is)) names.push_back(loop->name);
  });
  return names;
}

bool same_result(const std::string& code, const std::string& schedule) {
  return Interpreter(scheduled(code, schedule)).run() == Interpreter(kernel_of(code)).run();
}

const std::string copy =
    "double a[20][30], b[20][30];"
    "for (int j = 0; j < 20; ++j) for (int i = 3; i < 30; ++i) b[j][i] = a[j][i];";
const std::string heat =
    "double u[2][12][12];"
    "for (int t = 0; t < 6; ++t) for (int j = 1; j < 11; ++j) for (int i = 1; i < 11; ++i)"
    "  u[(t+1)%2][j][i] = u[t%2][j][i] + 0.1 * (u[t%2][j][i-1] + u[t%2][j][i+1] + u[t%2][j-1][i] + u[t%2][j+1][i]);";
const std::string seidel =
    "double a[9][9];"
    "for (int t = 0; t < 4; ++t) for (int j = 1; j < 8; ++j) for (int i = 1; i < 8; ++i)"
    "  a[j][i] = 0.25 * (a[j-1][i] + a[j+1][i] + a[j][i-1] + a[j][i+1]);";
const std::string matmul =
    "double A[13][11], B[11][10], C[13][10];"
    "for (int i = 0; i < 13; ++i) for (int j = 0; j < 10; ++j) for (int k = 0; k < 11; ++k) C[i][j] += A[i][k] * "
    "B[k][j];";

}  // namespace

TEST_CASE("tile loops go outside, start at the lower bound and have names") {
  const Kernel k = scheduled(copy, "tile(i: 8, j: 6 as jc)");
  CHECK(loop_names(k) == std::vector<std::string>{"it", "jc", "j", "i"});
  const Loop& it = std::get<Loop>(k.nests[0].is);
  CHECK(it.lower == std::vector<Quasi>{Quasi(3)});
  CHECK(it.step == 8);
  CHECK(same_result(copy, "tile(i: 8, j: 6 as jc)"));
}

TEST_CASE("later tilings go below earlier ones") {
  CHECK(loop_names(scheduled(copy, "tile(j: 8); tile(i: 4)")) == std::vector<std::string>{"jt", "it", "j", "i"});
}

TEST_CASE("a loop over one tile keeps its name") {
  const Kernel k = scheduled(copy, "tile(j: 100 as jc, i: 8); parallel(jc)");
  CHECK(loop_names(k) == std::vector<std::string>{"jc", "it", "j", "i"});
  CHECK(same_result(copy, "tile(j: 100 as jc, i: 8); interchange(jc, it)"));
}

TEST_CASE("order and interchange permute a band") {
  CHECK(loop_names(scheduled(copy, "interchange(j, i)")) == std::vector<std::string>{"i", "j"});
  CHECK(loop_names(scheduled(copy, "interchange(i, j)")) == std::vector<std::string>{"i", "j"});
  CHECK(loop_names(scheduled(matmul, "order(k, i, j)")) == std::vector<std::string>{"k", "i", "j"});
  CHECK(same_result(matmul, "order(k, i, j)"));
}

TEST_CASE("time can be tiled after skewing only, and the refusal names the dependence") {
  const std::string why = refusal_of(heat, "tile(t: 2, j: 4, i: 4)");
  CHECK(why.find("--schedule:1:1: tile would change the result: S1 reads u[") == 0);
  CHECK(why.find("(distance t: 1, j: -1, i: 0)") != std::string::npos);
  CHECK(same_result(heat, "skew(j: t, i: t); tile(t: 2, j: 4, i: 4)"));
}

TEST_CASE("Gauss-Seidel: space loops may be reordered within a sweep, the sweep loop may not") {
  CHECK(refusal_of(seidel, "interchange(t, j)").find("interchange would change the result") != std::string::npos);
  CHECK(refusal_of(seidel, "tile(t: 2, j: 2)").find("distance t: 1, j: -1, i: 0") != std::string::npos);
  CHECK(same_result(seidel, "interchange(j, i)"));
  CHECK(same_result(seidel, "skew(j: t, i: t); tile(t: 2, j: 3, i: 3)"));
}

TEST_CASE("what is forced is done, and said") {
  Kernel k = kernel_of(seidel);
  apply_schedule(k, parse_schedule({"--schedule", "interchange(t, j)", 1, 0}), true);
  CHECK(loop_names(k) == std::vector<std::string>{"j", "t", "i"});
  REQUIRE(k.warnings.size() == 1);
  CHECK(k.warnings[0].find("interchange(t, j) was forced although it changes the result") == 0);
}

TEST_CASE("sums may be reassociated when that is allowed") {
  const std::string sum = "double a[8][8], s; for (int j = 0; j < 8; ++j) for (int i = 0; i < 8; ++i) s += a[j][i];";
  CHECK(refusal_of(sum, "interchange(j, i)").find("S1 reads s, and later another iteration writes the same element") !=
        std::string::npos);
  CHECK(loop_names(scheduled(sum, "reassociate; interchange(j, i)")) == std::vector<std::string>{"i", "j"});
}

TEST_CASE("fuse joins neighbours, with a shift where a dependence needs one") {
  const std::string twice =
      "double x[40], y[40], z[40];"
      "for (int i = 0; i < 38; ++i) y[i] = 2.0 * x[i];"
      "for (int i = 0; i < 37; ++i) z[i] = y[i] + y[i+1];";
  CHECK(refusal_of(twice, "fuse(S1, S2)").find("S1 writes y[i], and later S2 reads the same element as y[i+1]") !=
        std::string::npos);
  CHECK(same_result(twice, "fuse(S1, S2, shift: 1)"));
  CHECK(scheduled(twice, "fuse(S1, S2, shift: 1)").schedule == std::vector<std::string>{"fuse(S1, S2, shift: 1)"});
}

TEST_CASE("fission splits before a statement, unless a scalar holds the two together") {
  const std::string both =
      "double x[9], y[9], z[9]; for (int i = 0; i < 9; ++i) { y[i] = 2.0 * x[i]; z[i] = y[i] + 1.0; }";
  CHECK(scheduled(both, "fission(S2)").nests.size() == 2);
  CHECK(same_result(both, "fission(S2)"));
  CHECK(refusal_of(both, "fission(S1)").find("nothing stands before S1") != std::string::npos);
  const std::string held =
      "double x[9], y[9], z[9]; for (int i = 0; i < 9; ++i) { double d = 2.0 * x[i]; z[i] = d + 1.0; }";
  CHECK(refusal_of(held, "fission(S2)").find("use a scalar in common") != std::string::npos);
}

TEST_CASE("elements of an array that each iteration writes first are its own") {
  const std::string own =
      "double a[2][9][9], b[2][9][9]; for (int j = 0; j < 9; ++j) for (int i = 0; i < 9; ++i) {"
      " double f[2]; f[0] = a[0][j][i]; f[1] = a[1][j][i]; b[0][j][i] = f[0] + f[1]; b[1][j][i] = f[0] - f[1]; }";
  CHECK(loop_names(scheduled(own, "interchange(j, i)")) == std::vector<std::string>{"i", "j"});
  CHECK(same_result(own, "tile(j: 4, i: 4)"));
  CHECK(refusal_of(own, "fission(S3)").find("in common") != std::string::npos);
  const std::string handed_on =  // f[1] is what an earlier iteration left there
      "double a[9][9], b[9][9]; for (int j = 0; j < 9; ++j) for (int i = 0; i < 9; ++i) {"
      " double f[2]; f[0] = a[j][i]; b[j][i] = f[0] + f[1]; f[1] = a[j][i]; }";
  CHECK(refusal_of(handed_on, "interchange(j, i)").find("f[1]") != std::string::npos);
}

TEST_CASE("remainders of unrolled loops run too") {
  CHECK(same_result(matmul, "unroll_jam(i: 4, j: 3)"));
  CHECK(same_result(matmul, "tile(i: 5, k: 4); order(j, i, k); unroll_jam(i: 2, j: 4)"));
}

TEST_CASE("stage packs what is read, and reads it there") {
  const Kernel k = scheduled(matmul, "tile(k: 4 as kc); stage(B, at: kc, into: Bp)");
  REQUIRE(k.arrays.back().name == "Bp");
  CHECK(k.arrays.back().extents == std::vector<Int>{4, 10});
  const auto plain = Interpreter(kernel_of(matmul)).run();
  auto staged = Interpreter(k).run();
  staged.pop_back();  // the buffer
  CHECK(staged == plain);
  CHECK(refusal_of(matmul, "stage(C, at: k, into: Cp)").find("it is written in this loop") != std::string::npos);
}

TEST_CASE("nests are fused past others where the dependences allow the move") {
  const std::string loop = "for (int i = 0; i < 9; ++i) ";
  const std::string arrays = "double a[9], b[9], c[9], d[9];";
  const auto order = [](const std::string& code) {
    std::vector<std::string> labels;
    const Kernel kernel = scheduled(code, "fuse(S1, S3)");
    visit_nodes(kernel.nests, [&](const Node& node) {
      if (const auto* s = std::get_if<Statement>(&node.is)) labels.push_back(s->label);
    });
    return labels;
  };
  using Labels = std::vector<std::string>;
  // The third needs the second, which needs nothing: it stays before.
  const std::string before = arrays + loop + "b[i] = a[i];" + loop + "c[i] = 2;" + loop + "d[i] = b[i] + c[8-i];";
  CHECK(order(before) == Labels{"S2", "S1", "S3"});
  CHECK(same_result(before, "fuse(S1, S3)"));
  // The second needs the first and not the third: it goes behind.
  const std::string behind = arrays + loop + "b[i] = a[i];" + loop + "c[i] = b[8-i];" + loop + "d[i] = b[i];";
  CHECK(order(behind) == Labels{"S1", "S3", "S2"});
  CHECK(same_result(behind, "fuse(S1, S3)"));
  // It needs the first, and the third needs it: it has to be between.
  const std::string between = arrays + loop + "b[i] = a[i];" + loop + "c[i] = b[8-i];" + loop + "d[i] = c[8-i];";
  CHECK(refusal_of(between, "fuse(S1, S3)").find("fuse would change the result: S2 writes c[i]") != std::string::npos);
}

TEST_CASE("nests with indices from arrays keep their order and say why") {
  const std::string spmv =
      "double v[6], x[4], y[3]; int col[6], row[4];"
      "for (int r = 0; r < 3; ++r) for (int p = row[r]; p < row[r+1]; ++p) y[r] += v[p] * x[col[p]];";
  const std::string data = "{row: {values: [0, 2, 4, 6]}, col: {values: [0, 1, 2, 3, 0, 1]}}";
  CHECK(refusal_of(spmv, "interchange(r, p)", data)
            .find("the nest of loop 'r' keeps its order, since the bounds of loop 'p'") != std::string::npos);
  CHECK(refusal_of(spmv, "tile(p: 2)", data).find("only the outermost loop of this nest can be tiled") !=
        std::string::npos);
  const Kernel k = kernel_of(spmv, {}, data, "tile(r: 2); parallel(rt)");
  CHECK(loop_names(k) == std::vector<std::string>{"rt", "r", "p"});
}

TEST_CASE("mistakes of the steps are told at their place") {
  CHECK(refusal_of(copy, "tile(j)").find("--schedule:1:6: expected 'loop: size'") == 0);
  CHECK(refusal_of(copy, "tile(q: 3)").find("no loop is called 'q'; the loops are j, i") != std::string::npos);
  CHECK(refusal_of(copy, "skew(i: j*j)").find("no loop 'j*j'") == std::string::npos);
  CHECK(refusal_of(copy, "skew(i: i)").find("a loop cannot be skewed by itself") != std::string::npos);
  CHECK(refusal_of(copy, "fuse(S1)").find("fuse needs two or more statements") != std::string::npos);
  CHECK(refusal_of(copy, "fuse(S1, S9)").find("no statement is called 'S9'") != std::string::npos);
  CHECK(refusal_of(copy, "unroll_jam(j: 1000)").find("from 1 to 256") != std::string::npos);
}
