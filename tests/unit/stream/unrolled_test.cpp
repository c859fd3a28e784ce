// Register blocking: what reaches the first cache after unroll_jam.
#include "stream/lower.hpp"
#include "support/catch.hpp"
#include "support/kernel.hpp"

using namespace mansard;

TEST_CASE("unroll_jam: loads of a register block are those of the micro-kernel") {
  // 6 x 2 copies per k: 6 loads of A and 2 of B for 12 updates; C is loaded and stored once per block of 12 elements.
  const std::string code =
      "double A[12][16], B[16][10], C[12][10];"
      "for (int i = 0; i < 12; ++i) for (int j = 0; j < 10; ++j) for (int k = 0; k < 16; ++k) C[i][j] += A[i][k] * "
      "B[k][j];";
  const Kernel k = kernel_of(code, {}, "", "unroll_jam(i: 6, j: 2)");
  CHECK(k.updates_by_statement);
  const Program program = lower(k, {});
  std::uint64_t loads_per_k = 0;
  std::uint64_t updates = 0;
  visit_bodies(program.nests[0].nodes, [&](const Body& body) {
    if (body.work.updates > 0) loads_per_k = body.refs.size(), updates = body.work.updates;
  });
  CHECK(loads_per_k == 8);
  CHECK(updates == 12);
}
