// Sums in scalars around inner loops: which schedules keep them in registers, and which are refused.
#include "schedule/affine/homes.hpp"

#include "support/catch.hpp"
#include "support/interpret.hpp"
#include "support/kernel.hpp"
#include "workload/print.hpp"

using namespace mansard;

namespace {

const std::string rows =
    "double a[7][9], x[9], y[7]; for (int i = 0; i < 7; ++i) { double s = 0; "
    "for (int j = 0; j < 9; ++j) s += a[i][j] * x[j]; y[i] = s; }";
const std::string product =
    "double a[6][6], b[6][6], c[6][6]; for (int i = 0; i < 6; ++i) for (int j = 0; j < 6; ++j) { double s = 0; "
    "for (int k = 0; k < 6; ++k) s += a[i][k] * b[k][j]; c[i][j] = s; }";

void computes_the_same(const std::string& code, const std::string& schedule) {
  const Kernel scheduled = kernel_of(code, {}, "", schedule);
  INFO(schedule << '\n' << to_c(scheduled));
  CHECK(Interpreter(scheduled).run() == Interpreter(kernel_of(code)).run());
}

std::size_t written_scalars(const Kernel& kernel) {
  std::set<ScalarId> ids;
  visit_nodes(kernel.nests, [&](const Node& node) {
    const auto* s = std::get_if<Statement>(&node.is);
    const auto* id = s == nullptr ? nullptr : std::get_if<ScalarId>(&s->target);
    if (id != nullptr) ids.insert(*id);
  });
  return ids.size();
}

}  // namespace

TEST_CASE("a sum belongs to the iteration that sets it first") {
  const Kernel sum = kernel_of(rows);
  CHECK(homes(sum, sum.nests) == std::map<ScalarId, std::size_t>{{0, 1}});
  const Kernel carried = kernel_of(
      "double a[9], y[9]; for (int i = 0; i < 9; ++i) { double s; for (int j = 0; j < 3; ++j) s += a[j]; y[i] = s; }");
  CHECK(homes(carried, carried.nests).empty());  // read before it is set
}

TEST_CASE("schedules that keep a row's sum in registers") {
  for (const char* schedule : {"tile(i: 3)", "unroll_jam(i: 2)", "unroll_jam(i: 7)", "unroll_jam(i: 9)",
                               "unroll_jam(i: 3, j: 4)", "parallel(i)", "tile(i: 4); unroll_jam(i: 2)"})
    computes_the_same(rows, schedule);
  for (const char* schedule : {"interchange(i, j)", "tile(i: 4, j: 4)", "order(j, i); unroll_jam(i: 2, j: 3)",
                               "unroll_jam(i: 4, k: 2)", "tile(j: 4, i: 2); unroll_jam(j: 2)"})
    computes_the_same(product, schedule);
}

TEST_CASE("each copy of an unrolled row has a sum of its own, and full blocks have no conditions") {
  CHECK(written_scalars(kernel_of(rows, {}, "", "unroll_jam(i: 7)")) == 7);
  const Kernel blocks = kernel_of(product, {}, "", "unroll_jam(i: 2, j: 3)");
  CHECK(written_scalars(blocks) == 6);
  CHECK(to_c(blocks).find("if") == std::string::npos);
}

TEST_CASE("a schedule that would need several sums at once is refused, naming the scalar") {
  for (const char* schedule : {"tile(j: 3)", "fission(S2)"}) {
    const std::string said = refusal_of(rows, schedule);
    INFO(schedule << ": " << said);
    CHECK(said.find("'s' holds one value for each iteration of i") != std::string::npos);
  }
}

TEST_CASE("a sum that lives beyond a shared loop is not private to its iterations in the C") {
  // The rows that fill no block run in loops of their own, which set the sums in one and add to them in another.
  const std::string c = nests_as_full_c(kernel_of(rows, {}, "", "unroll_jam(i: 4); parallel(i)"));
  INFO(c);
  CHECK(c.find("#pragma omp parallel for") != std::string::npos);
  CHECK(c.find("private") == std::string::npos);
}

TEST_CASE("threads have their own sums, and so have the iterations that one of them takes") {
  for (const char* schedule : {"gpu(x: j, y: i, block: 4x2)", "gpu(x: j, y: i, block: 2x2, fold: 3x2)",
                               "gpu(x: j, y: i, block: 2x1, coarsen: 2x3)"})
    computes_the_same(product, schedule);
  computes_the_same(rows, "gpu(x: i, block: 4)");
  computes_the_same(rows, "gpu(x: i, block: 2, fold: 2)");
}
