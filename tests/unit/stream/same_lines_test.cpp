#include "stream/same_lines.hpp"

#include "support/catch.hpp"
#include "support/kernel.hpp"

using namespace mansard;

namespace {

/// Of the loop below the outermost one, on 64-byte lines, as (from, to).
std::vector<std::pair<std::uint64_t, std::uint64_t>> stretches(const std::string& code) {
  const Program p = lower(kernel_of(code, {}), {});
  const auto& outer = std::get<StreamLoop>(p.nests[0].nodes.back().is);
  for (const StreamNode& node : outer.body) {
    const auto* loop = std::get_if<StreamLoop>(&node.is);
    if (loop == nullptr) continue;
    const std::vector<Int> environment(p.slots, 0);
    const Int first = loop->lower[0].at(environment);
    const auto count = static_cast<std::uint64_t>(loop->upper[0].at(environment) - first + 1);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> result;
    for (const Stretch& s : SameLines(64).stretches(*loop, first, count, environment)) {
      CHECK(s.period == 1);
      CHECK(s.lines == 0);
      result.emplace_back(s.from, s.to);
    }
    return result;
  }
  return {};
}

std::string product(const std::string& columns, const std::string& loop_over_k = "for (int k = 0; k < 8; ++k)") {
  return "double A[8][8], B[8][" + columns + "], C[8][" + columns +
         "]; for (int i = 0; i < 8; ++i)"
         " for (int j = 0; j < 16; ++j) " +
         loop_over_k + " C[i][j] += A[i][k] * B[k][j];";
}
using Stretches = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

}  // namespace

TEST_CASE("columns stay in their lines for eight doubles") {
  CHECK(stretches(product("16")) == Stretches{{0, 8}, {8, 16}});
}

TEST_CASE("where rows are not whole lines, columns have no line in common") { CHECK(stretches(product("20")).empty()); }

TEST_CASE("loops inside must not move with the loop") {
  CHECK(stretches(product("16", "for (int k = 0; k < j % 8 + 1; ++k)")).empty());
  CHECK(stretches(product("16", "for (int k = 0; k < min(8, j + 1); ++k)")).empty());
}

TEST_CASE("references that leave their lines too soon are not worth it") {
  CHECK(stretches("double B[16][64], C[16]; for (int i = 0; i < 8; ++i) for (int j = 0; j < 16; ++j)"
                  " for (int k = 0; k < 16; ++k) C[j] += B[k][4*j];")
            .empty());
}
