#include "workload/elaborate/elaborate.hpp"

#include "support/catch.hpp"
#include "unit/workload/kernels.hpp"
#include "workload/print.hpp"

using namespace mansard;

TEST_CASE("a stencil becomes loops with inclusive bounds, accesses and flops") {
  const Kernel k = kernel_of(
      "double a[M][N], b[M][N], s;\n"
      "for (int j = 1; j < M-1; ++j)\n"
      "  for (int i = 1; i < N-1; ++i)\n"
      "    b[j][i] = (a[j][i-1] + a[j][i+1] + a[j-1][i] + a[j+1][i]) * s;\n",
      Parameters{{"M", 10}, {"N", 20}});
  REQUIRE(k.arrays.size() == 2);
  CHECK(k.arrays[0].extents == std::vector<Int>{10, 20});
  const Loop& j = loop(k.nests[0]);
  const Loop& i = loop(j.body[0]);
  CHECK(j.lower == std::vector<Quasi>{Quasi(1)});
  CHECK(j.upper == std::vector<Quasi>{Quasi(8)});
  CHECK(i.upper == std::vector<Quasi>{Quasi(18)});
  const Statement& s = statement(i.body[0]);
  CHECK(s.label == "S1");
  CHECK(count_flops(s) == FlopCount{3, 1, 0, 0, 0, 0});
  const auto& target = std::get<Access>(s.target);
  CHECK(target.array == 1);
  CHECK(target.subscripts == std::vector<Quasi>{Quasi::of_slot(j.slot), Quasi::of_slot(i.slot)});
}

TEST_CASE("loops of every form have the bounds of C") {
  const auto bounds = [](const std::string& header) {
    const Kernel k = kernel_of("double a[100]; for (int i = " + header + ") a[i] = 1;");
    const Loop& l = loop(k.nests[0]);
    return std::vector<Int>{l.lower[0].constant, l.upper[0].constant, l.step};
  };
  CHECK(bounds("0; i < 10; ++i") == std::vector<Int>{0, 9, 1});
  CHECK(bounds("0; i <= 10; i += 3") == std::vector<Int>{0, 10, 3});
  CHECK(bounds("0; 10 > i; i++") == std::vector<Int>{0, 9, 1});
  CHECK(bounds("0; i != 10; i++") == std::vector<Int>{0, 9, 1});
  CHECK(bounds("9; i >= 2; --i") == std::vector<Int>{2, 9, -1});
  CHECK(bounds("9; i > 2; i -= 2") == std::vector<Int>{3, 9, -2});
}

TEST_CASE("bounds may be min and max in all their spellings") {
  for (const char* end : {"i < min(N, jj + 32)", "i < MIN(N, jj + 32)", "i < (N < jj + 32 ? N : jj + 32)",
                          "i < N && i < jj + 32", "i <= min(N, jj + 32) - 1"}) {
    INFO(end);
    const Kernel k =
        kernel_of(std::string("double a[N]; for (int jj = 0; jj < N; jj += 32) for (int i = max(jj, 1); ") + end +
                      "; ++i) a[i] = 1;",
                  Parameters{{"N", 100}});
    const Loop& jj = loop(k.nests[0]);
    const Loop& i = loop(jj.body[0]);
    CHECK(i.lower == std::vector<Quasi>{Quasi::of_slot(jj.slot), Quasi(1)});
    CHECK(i.upper == std::vector<Quasi>{Quasi(99), Quasi::of_slot(jj.slot) + Quasi(31)});
  }
}

TEST_CASE("CSR: bounds and subscripts read index tables") {
  Bindings b = with({{"nrows", 2}, {"ncols", 3}, {"nnz", 3}});
  b.tables = {{"row", table({0, 2, 3})}, {"col", table({0, 2, 1})}};
  const Kernel k = kernel_of(
      "double val[nnz], x[ncols], y[nrows]; int col[nnz], row[nrows+1];\n"
      "for (int r = 0; r < nrows; ++r) {\n"
      "  double sum = 0;\n"
      "  for (int p = row[r]; p < row[r+1]; ++p) sum += val[p] * x[col[p]];\n"
      "  y[r] = sum;\n"
      "}\n",
      b);
  const Loop& r = loop(k.nests[0]);
  const Loop& p = loop(r.body[1]);
  REQUIRE(p.reads.size() == 2);
  CHECK(p.reads[1].subscripts[0] == Quasi::of_slot(r.slot) + Quasi(1));
  CHECK(p.lower == std::vector<Quasi>{Quasi::of_slot(p.reads[0].slot)});
  CHECK(p.upper == std::vector<Quasi>{Quasi::of_slot(p.reads[1].slot) - Quasi(1)});
  const Value& x = statement(p.body[0]).value.operands[1];
  REQUIRE(x.access.indices.size() == 1);
  CHECK(k.arrays[*x.access.indices[0].table].name == "col");
  CHECK(x.access.subscripts == std::vector<Quasi>{Quasi::of_slot(x.access.indices[0].slot)});
  CHECK(statement(r.body[0]).label == "S1");
  CHECK(statement(r.body[2]).label == "S3");
  CHECK(k.scalars[0].is_private);
}

TEST_CASE("an index carried from one iteration to the next keeps its slot") {
  Bindings b;
  b.tables = {{"next", table({2, 0, 1})}};
  const Kernel k =
      kernel_of("double x[3], s; int next[3]; int p = 0; for (int i = 0; i < 9; ++i) { s += x[p]; p = next[p]; }", b);
  const auto& first = std::get<Define>(k.nests[0].is);
  const auto& again = std::get<Define>(loop(k.nests[1]).body[1].is);
  CHECK(first.slot == again.slot);
  CHECK(!first.table);
  CHECK(again.table);
  CHECK(again.subscripts == std::vector<Quasi>{Quasi::of_slot(first.slot)});
}

TEST_CASE("an integer computed in straight-line text stays affine in the subscripts") {
  const Kernel k = kernel_of(
      "double a[100]; int n; for (int j = 0; j < 10; ++j) for (int i = 0; i < 10; ++i) { n = 10*j + i; a[n] = 1; }");
  const Loop& j = loop(k.nests[0]);
  const Loop& i = loop(j.body[0]);
  REQUIRE(i.body.size() == 1);  // the definition of n has no user left
  CHECK(std::get<Access>(statement(i.body[0]).target).subscripts[0] ==
        Quasi::of_slot(j.slot) * 10 + Quasi::of_slot(i.slot));
}

TEST_CASE("an integer that only hands an element on is data; one that a subscript needs is an index") {
  const Kernel k = kernel_of(
      "int a[9][9]; for (int i = 0; i < 9; ++i) for (int j = 0; j < 9; ++j)"
      " { int t = a[i][j]; a[i][j] = a[j][i]; a[j][i] = t; }");
  CHECK(k.scalars.size() == 1);
  CHECK(loop(loop(k.nests[0]).body[0]).body.size() == 3);
  const std::string needs = "the values of 'a' are needed here: supply them under 'data'";
  CHECK(mistake_of("int a[9], b[9]; int t; for (int i = 0; i < 9; ++i) { t = a[i]; b[t] = 1; }").ends_with(needs));
  CHECK(mistake_of("int a[9], b[9]; int t, u; for (int i = 0; i < 9; ++i) { t = a[i]; u = t + 1; b[u] = 1; }")
            .ends_with(needs));
  CHECK(mistake_of("int a[9], b[9]; int t; for (int i = 0; i < 9; ++i) { t = a[i]; if (t > 0) b[i] = 1; }") != "none");
}

TEST_CASE("division and modulo are quasi-affine where C and floor agree") {
  const Kernel k = kernel_of(
      "double a[2][10]; for (int t = 0; t < 8; ++t) for (int i = 0; i < 10; ++i) a[(t+1)%2][i/2] = a[t%2][i];");
  const Loop& t = loop(k.nests[0]);
  const auto& target = std::get<Access>(statement(loop(t.body[0]).body[0]).target);
  CHECK(target.subscripts[0] == modulo(Quasi::of_slot(t.slot) + Quasi(1), 2));
  CHECK(kernel_of("double a[9]; a[-7/2 + 4] = 0;").nests.size() == 1);  // -3, as in C
  CHECK(mistake_of("double a[9]; for (int i = 0; i < 9; ++i) a[(i-1)/2] = 0;") ==
        "1:49: the left side of '/' may be negative (down to -1): C rounds towards zero there, which is not "
        "quasi-affine");
  CHECK(mistake_of("double a[9]; a[1/0] = 0;") == "1:17: division by zero in '/'");
}

TEST_CASE("conditions over indices become conjunctions, else branches their negation") {
  const Kernel k =
      kernel_of("double a[10]; for (int i = 0; i < 10; ++i) { if (i > 2 && i != 5) a[i] = 1; else a[i] = 2; }");
  const Loop& i = loop(k.nests[0]);
  const auto& yes = std::get<Guard>(i.body[0].is);
  const auto& no = std::get<Guard>(i.body[1].is);
  const auto holds = [](const Guard& g, Int value) {
    const std::vector<Int> environment{value};
    return std::any_of(g.any_of.begin(), g.any_of.end(), [&](const Conjunction& c) {
      return std::all_of(c.begin(), c.end(), [&](const Quasi& q) { return q.at(environment) >= 0; });
    });
  };
  for (Int v = 0; v < 10; ++v) {
    CHECK(holds(yes, v) == (v > 2 && v != 5));
    CHECK(holds(no, v) == !(v > 2 && v != 5));
  }
}

TEST_CASE("conditions that never change are decided; flags are read once for both branches") {
  const Kernel k = kernel_of("double a[10]; for (int i = 0; i < 10; ++i) { if (i < 10) a[i] = 1; else a[i+50] = 2; }");
  CHECK(statement(loop(k.nests[0]).body[0]).label == "S1");
  Bindings b;
  b.tables = {{"flag", table({1, 0, 1})}};
  const Kernel f =
      kernel_of("double a[3]; int flag[3]; for (int i = 0; i < 3; ++i) { if (flag[i]) a[i] = 1; else a[i] = 2; }", b);
  const Loop& i = loop(f.nests[0]);
  REQUIRE(i.body.size() == 3);
  CHECK(std::holds_alternative<Define>(i.body[0].is));
  CHECK(std::get<Guard>(i.body[1].is).reads.empty());
  CHECK(std::get<Guard>(i.body[2].is).reads.empty());
}

TEST_CASE("a condition over data needs its ratio; the else branch shares the site and reads nothing") {
  const Kernel k = kernel_of(
      "double u[9], v[9]; for (int i = 0; i < 9; ++i) { if (i > 2 && u[i] > 0) /* ratio 0.3 */ v[i] = 1; "
      "if (u[i] > v[i]) /* ratio 0.5 */ v[i] = 2; else v[i] = 3; }");
  const Loop& i = loop(k.nests[0]);
  const auto& exact = std::get<Guard>(i.body[0].is);
  CHECK(!exact.ratio);
  CHECK(std::get<Guard>(exact.body[0].is).ratio == 0.3);
  const auto& yes = std::get<Guard>(i.body[1].is);
  const auto& no = std::get<Guard>(i.body[2].is);
  CHECK(yes.data.size() == 1);
  CHECK(no.data.empty());
  CHECK(no.negated);
  CHECK(yes.site == no.site);
  CHECK(mistake_of("double u[9]; for (int i = 0; i < 9; ++i) if (u[i] > 0) u[i] = 1;") ==
        "1:46: this condition depends on values that are not known: say how often it holds");
}

TEST_CASE("numbers and integer factors are folded as a compiler does") {
  const auto flops = [](const std::string& expression) {
    return count_flops(statements(kernel_of("double a[4], s; const double c = 3; const int z[2] = {0, -1}; a[0] = " +
                                            expression + ";"))[0])
        .flops();
  };
  CHECK(flops("1.0/3 * a[1]") == 1);
  CHECK(flops("c * 2 * a[1]") == 1);
  CHECK(flops("a[1] * 1.0 + 0.0") == 0);
  CHECK(flops("z[0] * a[1] + z[1] * a[2]") == 0);  // -a[2]
  CHECK(flops("0.0 * a[1]") == 1);                 // not exact for NaN: stays
  CHECK(flops("sqrt(a[1]) / fma(s, s, a[2])") == 4);
  CHECK(flops("1/2 * a[1]") == 0);  // integer division of C: zero
}

TEST_CASE("defines are parameters with a default") {
  CHECK(kernel_of("#define N 12\n#define S 0.5\ndouble a[N]; a[0] = S;").parameters == Parameters{{"N", 12}});
  CHECK(kernel_of("#define N 12\ndouble a[N]; a[0] = 1;", Parameters{{"N", 3}}).arrays[0].extents[0] == 3);
}

TEST_CASE("names: undeclared, misspelt, missing parameters in one mistake") {
  CHECK(mistake_of("double alpha[4]; alpha[0] = alhpa[1];") == "1:29: 'alhpa' is not declared");
  CHECK(mistakes_of("double a[M][N]; for (int i = 0; i < K; ++i) a[0][i] = 1;") ==
        std::vector<std::string>{"1:10: parameters without a value: M, N, K"});
  CHECK(mistake_of("double a[4]; double a[5]; a[0] = 1;") == "1:21: 'a' is declared twice, first in line 1");
  CHECK(mistake_of("double a[4]; a[0] = foo(1);") == "1:21: unknown function 'foo'");
  CHECK(mistake_of("double a[4]; a[0] = pow(1);") == "1:21: pow has 1 arguments: expected 2");
}

TEST_CASE("what cannot be written") {
  CHECK(mistake_of("const double c = 1; for (int i = 0; i < 4; ++i) c = 2;") == "1:14: 'c' is const and is written");
  CHECK(mistake_of("double a[4]; for (int i = 0; i < 4; ++i) i = 2;") ==
        "1:42: the loop variable 'i' is changed in its loop");
  CHECK(mistake_of("double a[4]; a = 2;") == "1:14: 'a' is an array: expected subscripts");
  Bindings b;
  b.tables = {{"t", table({1, 0})}};
  CHECK(mistake_of("int t[2]; t[0] = 1;", b) == "1:11: 't' holds the index data of the workload and cannot be written");
  b.parameters = {{"N", 3}};
  CHECK(mistake_of("double a[N]; N = 2;", b) == "1:14: 'N' is a constant or a parameter and cannot be changed");
}

TEST_CASE("subscripts that are no index arithmetic") {
  CHECK(mistake_of("double a[4]; a[0][1] = 1;") == "1:14: 'a' has 2 subscripts: expected 1");
  CHECK(mistake_of("double a[4]; a[1.5] = 1;") == "1:16: expected an integer, found 1.5");
  CHECK(mistake_of("double a[4], s; a[s] = 1;") == "1:19: 's' is a real number: expected an integer");
  CHECK(mistake_of("double a[4]; for (int i = 0; i < 2; ++i) for (int j = 0; j < 2; ++j) a[i*j] = 1;") ==
        "1:73: the product of two variables is not affine: one factor must be a number or a parameter");
  CHECK(mistake_of("double a[4]; int c[4]; for (int i = 0; i < 4; ++i) a[c[i]] = 1;") ==
        "1:54: the values of 'c' are needed here: supply them under 'data'");
  CHECK(mistake_of("double a[4]; int p; a[p] = 1;") == "1:23: 'p' is used before it has a value");
}

TEST_CASE("sizes are checked before anything is allocated") {
  CHECK(mistake_of("double a[N]; a[0] = 1;", with({{"N", -3}})) ==
        "1:10: 'a' has the size -3: a negative bound, expected at least 1");
  CHECK(mistake_of("double a[N]; a[0] = 1;", with({{"N", 1'000'000'000'000'000}})) ==
        "1:8: 'a' has more than 2^47 bytes");
  CHECK(mistake_of("double a[N][N][N]; a[0][0][0] = 1;", with({{"N", Int{1} << 40}})) ==
        "1:8: 'a' has more than 2^47 bytes");
  CHECK(mistake_of("double a[N], b[N]; a[0] = 1;", with({{"N", Int{1} << 44}})) ==
        "1:14: with 'b' the arrays have more than 2^47 bytes");
  CHECK(mistake_of("double a[4]; for (int i = 0; i < N; ++i) a[0] = 1;", with({{"N", -5}})) ==
        "1:34: the loop over i has the negative bound -5");
  CHECK(mistake_of("double a[N*N]; a[0] = 1;", with({{"N", Int{1} << 61}})) ==
        "1:11: this integer expression can pass 2^62");
  CHECK(mistake_of("double a[4]; for (int i = 0; i < 4; i += 0) a[i] = 1;") ==
        "1:42: the step of the loop over i is 0: the loop would never end or is not a loop");
  CHECK(mistake_of("double a[4]; for (int i = 0; i < 4; --i) a[i] = 1;") ==
        "1:32: the loop over i runs downwards and its condition is '<': it would never end or never run");
}

TEST_CASE("update names a loop, where it repeats by a statement in it") {
  const char* text =
      "double a[4][4]; for (int j = 0; j < 4; ++j) for (int i = 0; i < 4; ++i) a[j][i] = 1; for (int i = 0; i < 4; "
      "++i) a[0][i] = 2;";
  Bindings b;
  b.update = "j";
  const Kernel k = kernel_of(text, b);
  CHECK(loop(k.nests[0]).counts_updates);
  CHECK(!loop(loop(k.nests[0]).body[0]).counts_updates);
  b.update = "S2.i";
  const Kernel second = kernel_of(text, b);
  CHECK(!loop(loop(second.nests[0]).body[0]).counts_updates);
  CHECK(loop(second.nests[1]).counts_updates);
  b.update = "q";
  CHECK(mistake_of(text, b) == "0:0: there is no loop 'q': the loops are i, j");
}

TEST_CASE("code without a statement is refused") {
  CHECK(mistake_of("double a[4];") == "0:0: the code has no statement that runs: nothing to simulate");
}

TEST_CASE("carried integers may not grow by themselves, their copies do not follow them") {
  const std::string message =
      "an integer carried through the loop may change only by a table or by adding what is not carried";
  CHECK(mistake_of("double a[9]; int k = 1; for (int i = 0; i < 9; ++i) { a[k] = 1; k = 2 * k; }") ==
        "1:65: " + message);
  CHECK(mistake_of("double a[9]; int k = 1, m = 1; for (int i = 0; i < 9; ++i) { a[k] = 1; k = k + m; m = k; }") ==
        "1:72: " + message);
  Bindings b;
  b.tables = {{"next", table({1, 2, 0})}};
  const Kernel k = kernel_of(
      "double x[9]; int next[3]; int p = 0; for (int i = 0; i < 6; ++i) { int q = p + 1; p = next[p]; x[q] = 1; }", b);
  const Loop& i = loop(k.nests[1]);
  const auto& copy = std::get<Define>(i.body[0].is);
  CHECK(std::get<Access>(statement(i.body[2]).target).subscripts[0] == Quasi::of_slot(copy.slot));
}
