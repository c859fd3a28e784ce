#include "workload/print.hpp"

#include "support/catch.hpp"
#include "unit/workload/kernels.hpp"

using namespace mansard;

namespace {
/// Printing is a fixed point: what is printed, parsed and printed again is the same text.
std::string check_fixed_point(const Kernel& kernel) {
  Bindings data;
  for (const Array& a : kernel.arrays) {
    if (a.data) data.tables[a.name] = a.data;
  }
  const std::string once = to_c(kernel);
  INFO(once);
  Kernel again = kernel_of(once, data);
  CHECK(to_c(again) == once);
  CHECK(statements(again).size() == statements(kernel).size());
  return once;
}
}  // namespace

TEST_CASE("a stencil as C") {
  CHECK(check_fixed_point(kernel_of("double a[N], b[N], s; for (int i = 1; i < N-1; ++i) b[i] = s * (a[i-1] + a[i+1]);",
                                    Parameters{{"N", 10}})) ==
        "double a[10];\ndouble b[10];\ndouble s;\n"
        "for (int i = 1; i <= 8; i += 1) {\n"
        "  b[i] = s * (a[i-1] + a[i+1]);\n"
        "}\n");
}

TEST_CASE("integer arithmetic stays that of integers, and what is cast is not") {
  const std::string text = check_fixed_point(
      kernel_of("int a[9]; double x[9]; for (int i = 0; i < 9; ++i) { a[i] = a[i] / 2 * 2 + 1; x[i] = (double)i / 3;"
                " x[i] = x[i] + 2 * (double)a[i] / 4 + 2.0; }"));
  CHECK(text.find("a[i] = ((a[i] / 2) * 2) + 1;") != std::string::npos);
  CHECK(text.find("x[i] = (double)(i) / 3;") != std::string::npos);
  CHECK(text.find("x[i] = (x[i] + ((2 * (double)a[i]) / 4)) + 2.0;") != std::string::npos);
}

TEST_CASE("an integer that is cast is printed as the real number that it is") {
  const std::string text =
      to_c(kernel_of("int a[9]; double x[9]; for (int i = 0; i < 9; ++i) x[i] = a[i] / (double)2;"));
  CHECK(text.find("x[i] = a[i] / 2.0;") != std::string::npos);
}

TEST_CASE("what is printed parses to the same kernel") {
  Bindings b = with({{"N", 12}});
  b.tables = {{"row", table({0, 2, 3, 7})}, {"col", table({0, 2, 1, 5, 6, 7, 11})}, {"flag", table({1, 0, 1})}};
  for (const char* text : {
           "double a[N]; for (int j = 0; j < N; j += 5) for (int i = max(j, 1); i < min(N, j+5); ++i) a[i] -= 1.5;",
           "double a[N]; for (int i = N-1; i >= 0; i -= 2) a[i] = (double)i / 3;",
           "double a[2][N]; for (int t = 0; t < 3; ++t) for (int i = 0; i < N; ++i) a[(t+1)%2][i] = -a[t%2][i/2];",
           "double x[N], y[3], v[7]; int row[4], col[7]; for (int r = 0; r < 3; ++r) { double s = 0; "
           "for (int p = row[r]; p < row[r+1]; ++p) { int c = col[p]; s += v[p] * x[c] + x[col[p]]; } y[r] = s; }",
           "double x[3]; int flag[3]; for (int i = 0; i < 3; ++i) { if (flag[i]) x[i] = 1; else x[i] = exp(2); }",
           "double x[N]; for (int i = 0; i < N; ++i) { if (i > 3 || i == 1) x[i] = sqrt(x[i]); "
           "if (x[i] > 0) /* ratio 0.25 */ x[i] = fma(x[i], 2, 1); else x[i] = x[i] < 3 ? 1 : fmax(2, x[i]); }",
           "double x[N], s; int col[7]; int p = 0; for (int i = 0; i < 2; ++i) { s += x[p]; p = col[p]; }",
           "const int c[2] = {0, 1}; float x[N]; for (int i = 0; i < N-1; ++i) { double t[2]; "
           "for (int q = 0; q < 2; ++q) { const double u = 2 * x[i+c[q]]; t[q] = u; } x[i] = t[0] + t[1]; }",
       }) {
    check_fixed_point(kernel_of(text, b));
  }
}

TEST_CASE("index expressions have the names of the kernel's loops") {
  const Kernel k = kernel_of("double a[50]; for (int j = 0; j < 5; ++j) for (int i = 0; i < 9; ++i) a[9*j+i/2] = 1;");
  const Access target = std::get<Access>(statements(k)[0].target);
  CHECK(to_string(target.subscripts[0], k) == "9*j+((i)/2)");
  CHECK(to_string(Quasi::of_slot(0) * -1 + Quasi(-2), k) == "-j-2");
}
