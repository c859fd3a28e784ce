#include "workload/language/parser.hpp"

#include "support/catch.hpp"
#include "unit/workload/kernels.hpp"

using namespace mansard;

namespace {
std::vector<std::string> syntax(const std::string& text) {
  return mistakes([&] { parse_code(source(text)); });
}
std::string first(const std::string& text) {
  const auto list = syntax(text);
  return list.empty() ? "none" : list[0];
}
}  // namespace

TEST_CASE("precedence and associativity are those of C") {
  const ast::Expression e = parse_expression(source("a - b - c * -d"));
  REQUIRE(e.op == ast::Operator::subtract);
  CHECK(e.operands[0].op == ast::Operator::subtract);
  CHECK(e.operands[1].op == ast::Operator::multiply);
  CHECK(e.operands[1].operands[1].op == ast::Operator::negate);
  const ast::Expression c = parse_expression(source("a < b && !c || d ? x : y"));
  REQUIRE(c.kind == ast::Expression::Kind::conditional);
  CHECK(c.operands[0].op == ast::Operator::logical_or);
  CHECK(c.operands[0].operands[0].op == ast::Operator::logical_and);
}

TEST_CASE("what the subset accepts") {
  for (const char* text : {
           "static const double restrict_[10]; unsigned long n; long int m; size_t k; _Float16 h[4];",
           "int i; for (i = 0; i < 4; i++) { ; }",
           "double a[10]; for (int i = 9; i >= 0; i -= 3) a[i] *= 2.0f;",
           "double a[10]; for (int i = 0; i != 10; i = i + 1) ++a[i];",
           "const int c[2][2] = {{0, 1}, {-1, 0,}};",
           "void f(double a[restrict 10], const double *b, int n, double c[][4]) { a[0] = (double)n; }",
           "double a[4]; if (a[0] > 0) /* ratio 0.25 */ a[1] = 0; else { a[2] = 1; }",
           "#define N 10\n#pragma omp parallel for\ndouble a[N];",
       }) {
    INFO(text);
    CHECK(syntax(text).empty());
  }
}

TEST_CASE("mistakes say what was expected, what was found, and where") {
  CHECK(first("a = 1 b;") == "1:7: expected ';' after the assignment, found 'b'");
  CHECK(first("double a[3;") == "1:11: expected ']' after the size of the array, found ';'");
  CHECK(first("double a[];") == "1:10: expected the size of the array, found ']'");
  CHECK(first("double *a;") == "1:8: pointers are not supported: declare the array with its sizes");
  CHECK(first("a = (1 + 2;") == "1:11: expected ')' to close the bracket, found ';'");
  CHECK(first("a = ;") == "1:5: expected a value, found ';'");
  CHECK(first("a[1] 2;") == "1:6: expected '=', '+=', '-=', '*=' or '/=' after a, found '2'");
  CHECK(first("3 = a;") == "1:1: expected a statement, found '3'");
  CHECK(first("f(a);") == "1:1: a call of f alone does nothing that is simulated: expected an assignment");
  CHECK(first("a.x = 1;") == "1:2: structures are not supported: use one array for each member");
  CHECK(first("a = *b;") == "1:5: pointers are not supported: found '*'");
  CHECK(first("a = b | c;") == "1:7: expected ';' after the assignment, found '|'");
  CHECK(first("a = 99999999999999999999;") == "1:5: '99999999999999999999' does not fit into 64 bits");
  CHECK(first("a = 1e999;") == "1:5: '1e999' is not a finite number");
  CHECK(first("for (int i = 0; i < 4;) a = 1;") == "1:23: expected a step such as ++i or i += 2, found ')'");
  CHECK(first("for (int i = 0; i < 4; ++j) a = 1;") == "1:24: expected a step of i, such as ++i, found one of j");
  CHECK(first("for (int i = 0; i < 4; i *= 2) a = 1;") ==
        "1:24: expected a step such as ++i or i += 2: loops run over equal distances");
  CHECK(first("while (x) a = 1;") == "1:1: 'while' is not supported: its number of iterations is not known");
  CHECK(first("for (int i = 0; i < 4; ++i) break;") == "1:29: 'break' is not supported: loops run to their bounds");
  CHECK(first("else a = 1;") == "1:1: 'else' without an 'if' before it");
  CHECK(first("a = 1; }") == "1:8: '}' without a '{' before it");
  CHECK(first("{ a = 1;") == "1:9: expected '}' to close the block of line 1, found the end of the code");
  CHECK(first("if (a > 0) /* ratio 1.5 */ a = 1;") ==
        "1:12: expected a ratio from 0 to 1, as in /* ratio 0.3 */, found '1.5'");
}

TEST_CASE("each statement reports its first mistake and parsing goes on") {
  const auto list = syntax(
      "double a[N]\n"
      "for (int i = 0, i < N; ++i) {\n"
      "  a[i] = 1 +;\n"
      "  a[i] = 2;\n"
      "  a[i = 3;\n"
      "}\n"
      "a[0] = ) 4;\n");
  CHECK(list == std::vector<std::string>{
                    "2:1: expected ';' after the declaration, found 'for'",
                    "2:15: expected ';' after the start of the loop, found ','", "3:13: expected a value, found ';'",
                    "5:7: expected ']' after the subscript, found '='", "7:8: expected a value, found ')'"});
}

TEST_CASE("deep nesting and long chains are one mistake, not a crash") {
  const std::string many(200'000, '(');
  CHECK(syntax("a = " + many + "1;") == std::vector<std::string>{"1:204: nested deeper than 200 levels"});
  CHECK(syntax("a = " + std::string(200'000, '-') + "1;").size() == 1);
  CHECK(syntax(std::string(200'000, '{')).size() == 1);
  std::string chain = "a = 1";
  for (int i = 0; i < 100'000; ++i) chain += "+1";
  CHECK(syntax(chain + ";").size() == 1);
  std::string loops;
  for (int i = 0; i < 10'000; ++i) loops += "for (int i = 0; i < 4; ++i) ";
  CHECK(syntax(loops + "a = 1;").size() == 1);
  CHECK(syntax(std::string(2'000'000, ' ')) ==
        std::vector<std::string>{"1:1: the code has 2000000 bytes, more than the 1048576 accepted"});
}
