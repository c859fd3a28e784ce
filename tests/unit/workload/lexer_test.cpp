#include "workload/language/lexer.hpp"

#include "support/catch.hpp"
#include "unit/workload/kernels.hpp"

using namespace mansard;

namespace {
std::vector<std::string> texts(const SourceText& text) {
  Diagnostics diagnostics;
  std::vector<std::string> list;
  for (const Token& t : tokenize(text, diagnostics).list) list.emplace_back(t.text);
  CHECK(diagnostics.empty());
  list.pop_back();
  return list;
}
}  // namespace

TEST_CASE("tokens of C, with numbers without their suffix") {
  CHECK(texts(source("a[i+1] += 2.f*b;")) ==
        std::vector<std::string>{"a", "[", "i", "+", "1", "]", "+=", "2.", "*", "b", ";"});
  CHECK(texts(source("1e-3 0x1F 10UL .5 i<=n")) ==
        std::vector<std::string>{"1e-3", "0x1F", "10", ".5", "i", "<=", "n"});
}

TEST_CASE("comments and preprocessor lines are no tokens") {
  CHECK(texts(source("a // b\n/* c\n d */ e\n#include <math.h>\n#pragma omp \\\n parallel\nf")) ==
        std::vector<std::string>{"a", "e", "f"});
}

TEST_CASE("positions point into the file that holds the code, indented as it is there") {
  Diagnostics diagnostics;
  const SourceText text{"w.yaml", "a;\n b;", 5, 2};
  const Tokens tokens = tokenize(text, diagnostics);
  CHECK(tokens.list[0].at == Place{5, 3});
  CHECK(tokens.list[2].at == Place{6, 4});
}

TEST_CASE("a comment belongs to the token after it") {
  Diagnostics diagnostics;
  const SourceText text = source("if (c) /* ratio 0.3 */ x");
  const Tokens tokens = tokenize(text, diagnostics);
  CHECK(tokens.list[4].text == "x");
  CHECK(tokens.list[4].comment == " ratio 0.3 ");
  CHECK(tokens.list[4].comment_at == Place{1, 8});
}

TEST_CASE("#define gives constants; macros with arguments and empty ones are left out") {
  Diagnostics diagnostics;
  const SourceText text = source("#define N (4*3)\n#define MIN(a,b) a\n#define GUARD\n#define BAD @\nx");
  const Tokens tokens = tokenize(text, diagnostics);
  REQUIRE(tokens.macros.size() == 1);
  CHECK(tokens.macros[0].name == "N");
  CHECK(tokens.macros[0].body.size() == 6);
  CHECK(tokens.list[0].at == Place{5, 1});
  CHECK(diagnostics.empty());
}

TEST_CASE("what is no token of C is reported where it stands") {
  const auto first = [](const std::string& text) {
    Diagnostics diagnostics;
    const SourceText code = source(text);
    tokenize(code, diagnostics);
    REQUIRE(!diagnostics.empty());
    return to_string(diagnostics.list()[0]);
  };
  CHECK(first("a = @;") == "t.c:1:5: unexpected character '@'");
  CHECK(first("a = \x01;") == "t.c:1:5: unexpected character with code 1");
  CHECK(first("a = 1.2.3;") == "t.c:1:5: '1.2.3' is not a number");
  CHECK(first("a = 3x;") == "t.c:1:5: '3x' is not a number");
  CHECK(first("a = 1e+;") == "t.c:1:5: '1e+' is not a number");
  CHECK(first("a = 010;") == "t.c:1:5: '010' is octal in C: write it in decimal");
  CHECK(first("a; /* b\n\n") == "t.c:1:4: this comment does not end: expected '*/'");
}

TEST_CASE("a text full of mistakes reports the first ones only") {
  Diagnostics diagnostics;
  const SourceText text = source(std::string(100'000, '@'));
  tokenize(text, diagnostics);
  CHECK(diagnostics.list().size() == most_diagnostics);
}
