#include "workload/elaborate/bounds_check.hpp"

#include "support/catch.hpp"
#include "unit/workload/kernels.hpp"
#include "workload/elaborate/open_subscripts.hpp"

using namespace mansard;

TEST_CASE("intervals prove boxes, blocks, linearised and periodic subscripts") {
  for (const char* text : {
           "double a[N*N]; for (int j = 0; j < N; ++j) for (int i = 0; i < N; ++i) a[j*N+i] = 1;",
           "double a[N]; for (int j = 0; j < N; j += 3) for (int i = j; i < min(N, j+3); ++i) a[i] = 1;",
           "double a[2][N]; for (int t = 0; t < 1000000; ++t) for (int i = 0; i < N; ++i) a[(t+1)%2][i] = "
           "a[t%2][(i+1)%N];",
           "double a[N]; for (int i = 0; i < N; ++i) if (i > 0) a[i-1] = 1;",
       }) {
    INFO(text);
    CHECK(open_subscripts(kernel_of(text, Parameters{{"N", 10}})).empty());
  }
}

TEST_CASE("what intervals leave open is enumerated") {
  const char* triangle = "double a[N]; for (int i = 0; i < N; ++i) for (int j = 0; j <= i; ++j) a[i-j] = 1;";
  CHECK(open_subscripts(kernel_of(triangle, Parameters{{"N", 10}})).size() == 1);
  CHECK(mistake_of("double a[N]; for (int i = 0; i < N; ++i) for (int j = 0; j <= i+1; ++j) a[i-j] = 1;",
                   with({{"N", 10}})) == "1:73: subscript 1 of 'a' is -1: expected 0 to 9");
}

TEST_CASE("a violation is reported with its subscript, value and iteration, at once") {
  const auto message = [](const std::string& text, const Bindings& b) {
    try {
      kernel_of(text, b);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("none");
  };
  CHECK(message("double a[N][N], b[N][N]; for (int j = 0; j < N; ++j) for (int i = 0; i < N; ++i) b[j][i] = a[j][i+1];",
                with({{"N", 100'000}})) ==
        "t.c:1:92: subscript 2 of 'a' is 100000: expected 0 to 99999 (for i = 99999)");
  CHECK(message("double a[N]; for (int i = 0; i < N; ++i) a[i-1] = 1;", with({{"N", 100'000}})) ==
        "t.c:1:42: subscript 1 of 'a' is -1: expected 0 to 99999 (for i = 0)");
  CHECK(message("double a[10]; a[10] = 1;", {}) == "t.c:1:15: subscript 1 of 'a' is 10: expected 0 to 9");
}

TEST_CASE("a loop that never runs violates nothing, and is mentioned") {
  const Kernel k = kernel_of("double a[4]; for (int i = 5; i < 3; ++i) a[i] = 1; a[0] = 1;");
  CHECK(k.warnings == std::vector<std::string>{"t.c:1:14: the loop over i never runs"});
  CHECK(mistake_of("double a[4]; for (int i = 0; i < 4; ++i) for (int j = i; j < 2; ++j) a[j+2] = 1;") == "none");
}

TEST_CASE("an index table that points outside is named, with the position of the entry") {
  Bindings b;
  b.tables = {{"col", table({0, 2, 7, 1})}};
  CHECK(mistake_of("double x[5], s; int col[4]; for (int p = 0; p < 4; ++p) s += x[col[p]];", b) ==
        "1:62: subscript 1 of 'x' is 7: expected 0 to 4; the index table 'col' holds 7 at position 2");
  CHECK(mistake_of("double x[8], s; int col[4]; for (int p = 0; p < 5; ++p) s += x[col[p]];", b) ==
        "1:64: subscript 1 of 'col' is 4: expected 0 to 3");
  CHECK(mistake_of("double x[5], s; int col[4]; for (int p = 0; p < 2; ++p) s += x[col[p]];", b) == "none");
  CHECK(mistake_of("double x[24], s; int col[4]; for (int p = 0; p < 4; ++p) { int c = col[p]; s += x[3*c+3]; }", b) ==
        "1:81: subscript 1 of 'x' is 24: expected 0 to 23; the index table 'col' holds 7 at position 2");
}

TEST_CASE("a carried index is followed") {
  Bindings b;
  b.tables = {{"next", table({1, 2, 3, 9})}};
  const std::string head = "double x[4], s; int next[4]; int p = 0; for (int i = 0; i < ";
  CHECK(mistake_of(head + "4; ++i) { s += x[p]; p = next[p]; }", b) == "none");
  CHECK(mistake_of(head + "5; ++i) { s += x[p]; p = next[p]; }", b) ==
        "1:76: subscript 1 of 'x' is 9: expected 0 to 3; the index table 'next' holds 9 at position 3");
  CHECK(mistake_of("double x[4]; int k = 0; for (int i = 0; i < 5; ++i) { x[k] = 1; k += 1; }") ==
        "1:55: subscript 1 of 'x' is 4: expected 0 to 3");
}

TEST_CASE("guards protect what they guard") {
  CHECK(mistake_of("double a[9]; for (int i = 0; i < 9; ++i) for (int j = 0; j < 9; ++j) if (i + j < 9) a[i+j] = 1;") ==
        "none");
  CHECK(
      mistake_of("double a[9]; for (int i = 0; i < 9; ++i) for (int j = 0; j < 9; ++j) if (i + j < 10) a[i+j] = 1;") ==
      "1:86: subscript 1 of 'a' is 9: expected 0 to 8");
  Bindings b;
  b.tables = {{"flag", table({1, 0, 1})}};
  CHECK(mistake_of("double a[9]; int flag[3]; for (int i = 0; i < 9; ++i) if (i < 3 && flag[i]) a[i] = 1;", b) ==
        "none");
}

TEST_CASE("the enumeration has a budget and says when it is used up") {
  Kernel k = kernel_of("double a[100]; for (int i = 0; i < 100; ++i) for (int j = 0; j <= i; ++j) a[i-j] = 1;");
  CHECK(k.warnings.empty());
  check_bounds(k, 10);
  CHECK(k.warnings ==
        std::vector<std::string>{"the check that no subscript leaves its array was given up after 10 steps"});
}
