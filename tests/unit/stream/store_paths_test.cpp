// Paths from loads to stores of loops that are small enough to trace by hand.
#include "stream/store_paths.hpp"

#include "support/catch.hpp"
#include "support/kernel.hpp"

using namespace mansard;

namespace {

const Loop& innermost(const Loop& loop) {
  const auto* inner = std::get_if<Loop>(&loop.body.front().is);
  return inner ? innermost(*inner) : loop;
}

std::vector<StorePath> paths_of(const std::string& code) {
  const Kernel kernel = kernel_of(code);
  return store_paths(kernel, innermost(std::get<Loop>(kernel.nests.front().is)));
}

FlopCount flops(std::uint32_t add, std::uint32_t mul) {
  FlopCount count;
  count.add = add, count.mul = mul;
  return count;
}

}  // namespace

TEST_CASE("what is added first has the longest way to the store") {
  const auto paths = paths_of(
      "double a[100], b[100], c;\n"
      "for (int i = 1; i < 99; ++i) b[i] = c * (a[i] + a[i-1] + a[i+1]);\n");
  CHECK(paths == std::vector<StorePath>{{0, -8, flops(2, 1)}, {0, 0, flops(2, 1)}, {0, 8, flops(1, 1)}});
}

TEST_CASE("of two uses the longer way counts, and scalars of the iteration pass it on") {
  const auto paths = paths_of(
      "double a[100], b[100], s, t;\n"
      "for (int i = 0; i < 99; ++i) { s = a[i+1] * a[i]; t = s + a[i]; b[i] = t * t + a[i]; }\n");
  CHECK(paths == std::vector<StorePath>{{0, 0, flops(2, 2)}, {0, 8, flops(2, 2)}});
}

TEST_CASE("a scalar that is overwritten passes nothing on") {
  const auto paths = paths_of(
      "double a[100], b[100], s;\n"
      "for (int i = 0; i < 99; ++i) { s = a[i+1]; s = a[i]; b[i] = s; }\n");
  CHECK(paths == std::vector<StorePath>{{0, 0, flops(0, 0)}});
}

TEST_CASE("an element that is added to is loaded as well") {
  const auto paths = paths_of(
      "float a[100], b[100];\n"
      "for (int i = 0; i < 99; ++i) b[i] += a[i+1] * a[i+1];\n");
  CHECK(paths == std::vector<StorePath>{{0, 4, flops(1, 1)}, {1, 0, flops(1, 0)}});
}

TEST_CASE("rows lie apart by what they are long; columns and other strides are left out") {
  const auto paths = paths_of(
      "double a[10][50], b[10][50], c[50];\n"
      "for (int j = 1; j < 9; ++j) for (int i = 0; i < 50; ++i) b[j][i] = a[j-1][i] + a[i/8][j] + c[i];\n");
  CHECK(paths == std::vector<StorePath>{{0, -400, flops(2, 0)}});
}

TEST_CASE("without a contiguous store there are no paths") {
  CHECK(paths_of("double a[100], b[200];\nfor (int i = 0; i < 99; ++i) b[2*i] = a[i];\n").empty());
  CHECK(paths_of("double a[100], s;\nfor (int i = 0; i < 99; ++i) s += a[i];\n").empty());
}
