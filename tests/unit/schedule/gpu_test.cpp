#include "schedule/gpu_mapping.hpp"
#include "support/catch.hpp"
#include "support/interpret.hpp"
#include "support/kernel.hpp"

using namespace mansard;

namespace {

const std::string matvec =
    "double A[6][50], x[50], y[6]; for (int j = 0; j < 6; ++j) for (int i = 0; i < 50; ++i) y[j] += A[j][i] * x[i];";
const std::string product =
    "double A[20][20], B[20][20], C[20][20]; for (int i = 0; i < 20; ++i) for (int j = 0; j < 20; ++j) "
    "for (int k = 0; k < 20; ++k) C[i][j] += A[i][k] * B[k][j];";
const std::string transpose =
    "double a[9][9], b[9][9]; for (int j = 0; j < 9; ++j) for (int i = 0; i < 9; ++i) b[i][j] = a[j][i];";

bool refuses(const std::string& code, const std::string& schedule, const std::string& with) {
  const std::string said = refusal_of(code, schedule);
  UNSCOPED_INFO(said);
  return said.find(with) != std::string::npos;
}

/// The mapped loops, run one after the other, compute the same.
bool computes_the_same(const std::string& code, const std::string& schedule) {
  const auto plain = Interpreter(kernel_of(code)).run();
  auto mapped = Interpreter(kernel_of(code, {}, "", schedule)).run();
  mapped.resize(plain.size());  // without the buffers
  return mapped == plain;
}

}  // namespace

TEST_CASE("a mapped nest has loops over blocks, then over threads, z outermost") {
  const Kernel k = kernel_of(product, {}, "", "gpu(x: j, y: i, block: 8x4)");
  const auto* loop = &std::get<Loop>(k.nests[0].is);
  CHECK(loop->launch != nullptr);
  std::vector<std::pair<GpuRole, int>> roles;
  for (; loop != nullptr; loop = std::get_if<Loop>(&loop->body.front().is)) roles.emplace_back(loop->role, loop->axis);
  using R = GpuRole;
  CHECK(roles ==
        std::vector<std::pair<R, int>>{{R::block, 1}, {R::block, 0}, {R::thread, 1}, {R::thread, 0}, {R::none, 0}});
}

TEST_CASE("mappings keep what the nest computes") {
  CHECK(computes_the_same(product, "gpu(x: j, y: i, block: 8x4)"));
  CHECK(computes_the_same(product, "gpu(x: j, y: i, block: 4x4, fold: 3x2)"));
  CHECK(computes_the_same(product, "gpu(x: j, y: i, block: 4x4, coarsen: 2x3)"));
  CHECK(computes_the_same(product, "gpu(x: j, y: i, block: 3x3, grid: 2x1)"));
  CHECK(computes_the_same(matvec, "reassociate; gpu(y: j, lanes: i, block: 32x2)"));
  CHECK(computes_the_same(product,
                          "tile(k: 7); order(i, j, kt, k); gpu(x: j, y: i, block: 4x4, fold: 2x1); "
                          "stage(A, at: kt, into: shared); stage(B, at: kt, into: shared)"));
  CHECK(computes_the_same(transpose, "gpu(x: j, y: i, block: 4x4); stage(a, at: jb, into: shared); pad(a_shared: 1)"));
}

TEST_CASE("loops that carry a dependence are not mapped") {
  CHECK(refuses(matvec, "gpu(x: i, block: 32)", "the threads of a GPU run in no particular order"));
  CHECK(refuses("double a[100]; for (int i = 1; i < 100; ++i) a[i] = a[i-1];", "gpu(x: i, block: 32)", "S1"));
  CHECK(refuses("double y[9]; int c[9]; for (int i = 0; i < 9; ++i) y[0] += c[i];", "gpu(x: i, block: 32)", "y"));
}

TEST_CASE("what cannot be mapped is refused at its position") {
  CHECK(refuses(product, "gpu(x: i, y: i, block: 8)", "--schedule:1:14: loop 'i' is mapped twice"));
  CHECK(refuses(product, "gpu(x: j, block: 2048)", "--schedule:1:18: a block of 2048 threads"));
  CHECK(refuses(product, "gpu(x: j, block: 8x8)", "no loop is mapped to y"));
  CHECK(refuses(product, "gpu(x: j, block: 8, block: 8)", "'block' is given twice"));
  CHECK(refuses(product, "gpu(x: j, blocks: 8)", "gpu takes x, y, z, lanes"));
  CHECK(refuses(product, "gpu(block: 8)", "gpu needs at least one loop"));
  CHECK(refuses(product, "gpu(x: j, y: i, block: 8); gpu(x: j, block: 8)", "mapped"));
  CHECK(refuses(product, "stage(A, at: k, into: shared)", "gpu(…) comes first"));
  CHECK(refuses(product, "gpu(x: j, y: i, block: 8); stage(A, at: k, into: Ap)", "staged into: shared"));
  CHECK(refuses("double a[9][9]; for (int j = 0; j < 9; ++j) for (int i = 0; i < j; ++i) a[j][i] = 1;",
                "gpu(x: i, y: j, block: 8)", "a grid is rectangular"));
}
