// The register rules of design section 3, on nests small enough to list every access.
#include "stream/lower.hpp"

#include "stream/work.hpp"
#include "support/catch.hpp"
#include "support/elements.hpp"
#include "support/kernel.hpp"

using namespace mansard;

namespace {

/// "lB2" is a load of element 2 of the array B, "s" a store, "n" a non-temporal store.
std::string accesses(const Kernel& kernel, const LowerOptions& options = {}) {
  const Program program = lower(kernel, options);
  std::string text;
  for (const Element& e : elements_of(program)) {
    text += e.kind == Kind::load ? " l" : e.kind == Kind::store ? " s" : " n";
    text += kernel.arrays[e.array].name + std::to_string((e.address - program.regions[e.array].start) / e.bytes);
  }
  return text.empty() ? text : text.substr(1);
}

std::uint64_t updates(const Kernel& kernel) {
  const Program program = lower(kernel, {});
  std::uint64_t total = 0;
  Walker walker(program);
  for (const Nest& nest : program.nests) {
    walker.reset_executions();
    walker.walk(nest, [](const Batch&) {});
    total += work_of(nest, walker.executions()).updates;
  }
  return total;
}

LowerOptions no_registers() {
  LowerOptions options;
  options.registers = false;
  return options;
}

}  // namespace

TEST_CASE("loads of a statement in text order, then its store") {
  const Kernel k = kernel_of("double A[4], B[4]; for (int i = 0; i < 2; ++i) B[i] = A[i+1] + A[i];");
  CHECK(accesses(k) == "lA1 lA0 sB0 lA2 lA1 sB1");
}

TEST_CASE("an element read twice in one iteration is one load, stored and read later none") {
  const Kernel k =
      kernel_of("double A[4], B[4]; for (int i = 0; i < 2; ++i) { B[i] = A[i] * A[i]; A[i] = B[i] + 1.0; }");
  CHECK(accesses(k) == "lA0 sB0 sA0 lA1 sB1 sA1");
  CHECK(accesses(k, no_registers()) == "lA0 lA0 sB0 lB0 sA0 lA1 lA1 sB1 lB1 sA1");
}

TEST_CASE("a compound assignment reads its target first") {
  CHECK(accesses(kernel_of("double A[2], B[2]; for (int i = 0; i < 2; ++i) A[i] += B[i];")) ==
        "lA0 lB0 sA0 lA1 lB1 sA1");
}

TEST_CASE("an invariant accumulator is loaded before and stored after its loop") {
  const Kernel k = kernel_of(
      "double A[2][2], B[2][2], C[2][2]; for (int i = 0; i < 1; ++i) for (int j = 0; j < 1; ++j)"
      " for (int k = 0; k < 2; ++k) C[i][j] += A[i][k] * B[k][j];");
  CHECK(accesses(k) == "lC0 lA0 lB0 lA1 lB2 sC0");
  CHECK(accesses(k, no_registers()) == "lC0 lA0 lB0 sC0 lC0 lA1 lB2 sC0");
}

TEST_CASE("an element written before it is read is only stored after the loop") {
  const Kernel k = kernel_of("double A[3], s[1]; for (int t = 0; t < 1; ++t) for (int i = 0; i < 3; ++i) s[0] = A[i];");
  CHECK(accesses(k) == "lA0 lA1 lA2 ss0");
}

TEST_CASE("an invariant element stays in memory if another access may touch it") {
  const Kernel k = kernel_of("double A[4]; for (int i = 0; i < 3; ++i) A[0] += A[i+1];");
  // A[0] and A[i+1] may be the same for all that the rule knows (their distance varies)
  CHECK(accesses(k) == "lA0 lA1 sA0 lA0 lA2 sA0 lA0 lA3 sA0");
}

TEST_CASE("a loop without iterations makes no access, not even hoisted ones") {
  const Kernel k =
      kernel_of("double A[4][4], C[4]; for (int i = 0; i < 2; ++i) for (int j = 0; j < i; ++j) C[i] += A[i][j];");
  CHECK(accesses(k) == "lC1 lA4 sC1");
}

TEST_CASE("row pointers are read once at a loop's entry, columns before the element they select") {
  const Kernel k = kernel_of(
      "double val[nnz], x[ncols], y[nrows]; int col[nnz], row[nrows+1];"
      "for (int r = 0; r < nrows; ++r) { double sum = 0;"
      " for (int p = row[r]; p < row[r+1]; ++p) sum += val[p] * x[col[p]]; y[r] = sum; }",
      {}, "A: {banded: {rows: 2, band: 1}}");
  CHECK(accesses(k) ==
        "lrow0 lrow1 lval0 lcol0 lx0 lval1 lcol1 lx1 sy0 lrow1 lrow2 lval2 lcol2 lx0 lval3 lcol3 lx1 sy1");
  CHECK(updates(k) == 4);
}

TEST_CASE("an index carried through a table") {
  const Kernel k = kernel_of(
      "double a[4]; int next[4]; double s = 0; int p = 0; for (int i = 0; i < 3; ++i) { s += a[p]; p = next[p]; }", {},
      "next: {values: [2, 3, 1, 0]}");
  CHECK(accesses(k) == "la0 lnext0 la2 lnext2 la1 lnext1");
}

TEST_CASE("two cursors that start alike go their own ways") {
  const std::string tables = "{head: {values: [1]}, next: {values: [2, 3, 1, 0]}}";
  const std::string declare = "double x[4], y[4]; int head[1], next[4]; double s = 0;";
  const Kernel a = kernel_of(
      declare + "int p = head[0]; int h = head[0]; for (int i = 0; i < 2; ++i) { p = next[p]; s += x[h] + y[p]; }", {},
      tables);
  CHECK(accesses(a) == "lhead0 lx1 lnext1 ly3 lnext3 ly0");
  const Kernel b = kernel_of(
      declare + "int h = head[0]; int p = head[0]; for (int i = 0; i < 2; ++i) { p = next[p]; s += x[h] + y[p]; }", {},
      tables);
  CHECK(accesses(b) == "lhead0 lx1 lnext1 ly3 lnext3 ly0");
}

TEST_CASE("non-temporal stores, padding, layout and types change addresses only") {
  const std::string code =
      "double A[2][3], B[2][3]; for (int j = 0; j < 2; ++j) for (int i = 0; i < 3; ++i) B[j][i] = A[j][i];";
  CHECK(accesses(kernel_of(code, {}, "", "nontemporal(B)")) == "lA0 nB0 lA1 nB1 lA2 nB2 lA3 nB3 lA4 nB4 lA5 nB5");
  CHECK(accesses(kernel_of(code, {}, "", "pad(A: 2)")) == "lA0 sB0 lA1 sB1 lA2 sB2 lA5 sB3 lA6 sB4 lA7 sB5");
  CHECK(accesses(kernel_of(code, {}, "", "layout(A: 1 0)")) == "lA0 sB0 lA2 sB1 lA4 sB2 lA1 sB3 lA3 sB4 lA5 sB5");
  const Program p = lower(kernel_of(code, {}, "", "type(A: float)"), {});
  CHECK(elements_of(p)[0].bytes == 4);
  CHECK(elements_of(p)[1].bytes == 8);
}

TEST_CASE("arrays begin at page boundaries plus n times the gap") {
  const Program p = lower(kernel_of("double A[600], B[1], C[1]; for (int i = 0; i < 1; ++i) C[i] = A[i] + B[i];"), {});
  CHECK(p.regions[0].start == 0);
  CHECK(p.regions[1].start == 2 * 4096 + 5440);  // A takes two pages
  CHECK(p.regions[2].start == 3 * 4096 + 2 * 5440);
}

TEST_CASE("an update is an innermost iteration with an array statement, or one of the loop named") {
  CHECK(updates(kernel_of("double A[9]; for (int j = 0; j < 2; ++j) for (int i = 0; i < 3; ++i) A[3*j+i] = 1.0;")) ==
        6);
  CHECK(updates(kernel_of("double A[9]; for (int i = 0; i < 9; ++i) if (i < 4) A[i] = 1.0;")) == 4);
  CHECK(updates(kernel_of(
            "double A[9], B[9]; for (int i = 0; i < 9; ++i) { if (i < 4) A[i] = 1.0; if (i < 6) B[i] = 1.0; }")) == 6);
  CHECK(updates(kernel_of("double A[9]; double s = 0; for (int i = 0; i < 9; ++i) s += 1.0;")) == 0);
}

TEST_CASE("data-dependent branches run in their ratio, or always in the worst case") {
  const Kernel k =
      kernel_of("double u[1000], v[1000]; for (int i = 0; i < 1000; ++i) if (u[i] > 0.0) /* ratio 0.3 */ v[i] = 1.0;");
  LowerOptions worst;
  worst.worst_branches = true;
  const auto stores = [](const Program& p) {
    std::size_t n = 0;
    for (const Element& e : elements_of(p)) n += e.kind == Kind::store ? 1 : 0;
    return n;
  };
  const std::size_t usual = stores(lower(k, {}));
  CHECK(usual > 250);
  CHECK(usual < 350);
  CHECK(usual == stores(lower(k, {})));
  CHECK(stores(lower(k, worst)) == 1000);
}
