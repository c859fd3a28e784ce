#include "support/catch.hpp"
#include "unit/workload/kernels.hpp"

using namespace mansard;

TEST_CASE("a loop that selects constants or private elements is unrolled, and no other") {
  const Kernel k = kernel_of(
      "const int c[3] = {0, 1, -1}; const double w[3] = {0.5, 0.25, 0.25};\n"
      "double f[3][10], g[3][10];\n"
      "for (int i = 1; i < 9; ++i) {\n"
      "  double p[3], rho = 0;\n"
      "  for (int q = 0; q < 3; ++q) { p[q] = f[q][i-c[q]]; rho += p[q]; }\n"
      "  for (int q = 0; q < 3; ++q) g[q][i] = w[q] * rho;\n"
      "  for (int q = 0; q < 3; ++q) f[q][i] = 0;\n"
      "}\n");
  const auto list = statements(k);
  std::vector<std::string> labels;
  for (const Statement& s : list) labels.push_back(s.label);
  CHECK(labels == std::vector<std::string>{"S1", "S2", "S3", "S2", "S3", "S2", "S3", "S4", "S4", "S4", "S5"});
  const Loop& i = loop(k.nests[0]);
  CHECK(loop(i.body.back()).name == "q");
  const Access& neighbour = list[5].value.access;
  CHECK(neighbour.subscripts == std::vector<Quasi>{Quasi(2), Quasi::of_slot(i.slot) + Quasi(1)});
  CHECK(k.arrays[2].is_private);
  CHECK(list[9].value.operands[0].number == 0.25);
}

TEST_CASE("labels count statements in text order, whatever is unrolled or dropped") {
  const Kernel k = kernel_of(
      "const int c[2] = {0, 1}; double a[4];\n"
      "for (int q = 0; q < 2; ++q) { if (q == 1) a[c[q]] = 1; else a[c[q]] = 2; a[2] = 3; }\n");
  std::vector<std::string> labels;
  for (const Statement& s : statements(k)) labels.push_back(s.label);
  CHECK(labels == std::vector<std::string>{"S2", "S3", "S1", "S3"});
}

TEST_CASE("a table that a running loop selects from is an array in memory") {
  const Kernel k = kernel_of(
      "const int c[2] = {0, 1}; double a[4]; for (int t = 0; t < N; ++t) for (int i = 0; i < t; ++i) a[c[i % 2]] = 1;",
      Parameters{{"N", 3}});
  CHECK(statements(k).size() == 1);
  REQUIRE(k.arrays.size() == 2);
  CHECK(*k.arrays[1].data == std::vector<std::int32_t>{0, 1});
}

TEST_CASE("tables: two dimensions, zeros for what is left out, mistakes") {
  const Kernel k = kernel_of("const int c[2][3] = {{1, 2}, {4, 5, 6}}; double a[10]; a[c[0][2]] = 1; a[c[1][0]] = 2;");
  CHECK(std::get<Access>(statements(k)[0].target).subscripts[0] == Quasi(0));
  CHECK(std::get<Access>(statements(k)[1].target).subscripts[0] == Quasi(4));
  CHECK(mistake_of("const int c[2] = {1, 2, 3};") == "1:18: 3 values in braces: expected at most 2");
  CHECK(mistake_of("const int c[2] = {1, 3000000000};") == "1:22: 3000000000 does not fit into 32 bits");
  CHECK(mistake_of("const int c[2] = 1;") == "1:18: 'c' is an array: expected a list in braces");
  CHECK(mistake_of("const int c[2] = {1, 2}; double a[4]; a[c[2]] = 1;") ==
        "1:43: subscript 1 of 'c' is 2: expected 0 to 1");
  CHECK(mistake_of("int c[2] = {1, 2}; c[0] = 1;") ==
        "1:5: 'c' has initial values and is written: declare it without them");
}

TEST_CASE("unrolling is limited") {
  const std::string text = "const int c[2] = {0, 1}; double a[4]; for (int q = 0; q < N; ++q) a[c[q % 2]] = 1;";
  CHECK(mistake_of(text, with({{"N", 1'000'000'000}})) ==
        "1:39: unrolling the loop over q makes more than 100000 copies");
  CHECK(kernel_of(text, Parameters{{"N", 1000}}).nests.size() == 1000);
}
