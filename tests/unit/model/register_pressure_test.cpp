// Spills counted by hand for 16 registers of four doubles.
#include "model/register_pressure.hpp"

#include "model/instructions.hpp"
#include "support/catch.hpp"
#include "support/kernel.hpp"

using namespace mansard;

namespace {

/// Loads and stores of SIMD registers (of scalars: the second pair) in all iterations of the one nest.
struct Count {
  double loads, stores, scalar_loads, scalar_stores;
};

Count count(const std::string& code, const std::string& schedule, double iterations,
            std::optional<std::uint32_t> registers = 16) {
  Machine machine;
  machine.core.simd = 32;
  machine.core.registers = registers;
  const Program program = lower(kernel_of(code, {}, "", schedule), {});
  const Nest& nest = program.nests.front();
  std::vector<std::uint64_t> executions(program.bodies, 0);
  visit_bodies(nest.nodes, [&](const Body& body) {
    if (body.work.innermost) executions[body.id] = static_cast<std::uint64_t>(iterations);
  });
  const InstructionCount total = count_instructions(machine, nest, executions);
  return {total.simd.loads, total.simd.stores, total.scalar.loads, total.scalar.stores};
}

/// b[i] = c0*a[i] + c1*a[i] + …
std::string sum_with(int constants) {
  std::string declared = "double a[400], b[400]", sum;
  for (int c = 0; c < constants; ++c) {
    declared += ", c" + std::to_string(c);
    sum += (c > 0 ? " + c" : "c") + std::to_string(c) + "*a[i]";
  }
  return declared + ";\nfor (int i = 0; i < 400; ++i) b[i] = " + sum + ";\n";
}

const std::string product =
    "double A[96][96], B[96][96], C[96][96];\n"
    "for (int i = 0; i < 96; ++i) for (int j = 0; j < 96; ++j) for (int k = 0; k < 96; ++k) C[i][j] += "
    "A[i][k]*B[k][j];\n";

}  // namespace

TEST_CASE("14 constants fit beside the two registers to compute with, each further one is loaded again") {
  CHECK(count(sum_with(14), "", 400).loads == Approx(100));
  CHECK(count(sum_with(17), "", 400).loads == Approx(100 + 3 * 100));
  CHECK(count(sum_with(17), "", 400, 32).loads == Approx(100));
  CHECK(count(sum_with(17), "", 400, std::nullopt).loads == Approx(100));
}

TEST_CASE("sums in scalars are accumulators, scalars of an iteration are not") {
  std::string code = "double a[400], t", sums;
  for (int s = 0; s < 16; ++s) {
    code += ", s" + std::to_string(s);
    sums += " s" + std::to_string(s) + " += t;";
  }
  code += ";\nfor (int i = 0; i < 400; ++i) { t = a[i] * a[i];" + sums + " }\n";
  const Count total = count(code, "", 400);  // 16 and the two to compute with: two are loaded and stored
  CHECK(total.loads == Approx(100 + 200));
  CHECK(total.stores == Approx(200));
}

TEST_CASE("a micro-kernel of 4 x 12 doubles fits, of 6 x 12 it does not") {
  const Count fits = count(product, "unroll_jam(i: 4, j: 12); vectorize(j)", 1000);
  CHECK(fits.stores == 0);
  // 18 accumulators and 2 registers to compute with: 4 are loaded and stored in each iteration
  const Count spills = count(product, "unroll_jam(i: 6, j: 12); vectorize(j)", 1000);
  const Count free = count(product, "unroll_jam(i: 6, j: 12); vectorize(j)", 1000, std::nullopt);
  CHECK(spills.stores == Approx(4000));
  CHECK(spills.loads - free.loads == Approx(4000));
}
