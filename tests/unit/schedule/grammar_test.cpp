#include "schedule/grammar.hpp"

#include "support/catch.hpp"

using namespace mansard;

namespace {
SourceText source(const std::string& text) { return {"--schedule", text, 1, 0}; }

std::string mistakes(const std::string& text) {
  try {
    parse_schedule(source(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}
}  // namespace

TEST_CASE("steps, arguments, keys and aliases are read with their positions") {
  const auto steps = parse_schedule(source("tile(k:8, j: 512 as jc); nontemporal( b , c );scalar"));
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].name == "tile");
  CHECK(steps[0].text == "tile(k:8, j: 512 as jc)");
  REQUIRE(steps[0].arguments.size() == 2);
  CHECK(steps[0].arguments[0].key == "k");
  CHECK(steps[0].arguments[0].value == "8");
  CHECK(steps[0].arguments[0].value_at.column == 8);
  CHECK(steps[0].arguments[1].value == "512");
  CHECK(steps[0].arguments[1].alias == "jc");
  CHECK(steps[1].arguments[1].value == "c");
  CHECK(steps[1].arguments[1].at.column == 43);
  CHECK(steps[2].name == "scalar");
  CHECK(steps[2].arguments.empty());
}

TEST_CASE("values keep the operators that steps need") {
  const auto steps = parse_schedule(source("skew(i: 2*t); gpu(block: 32x4x1); layout(f: 3 0 1 2); parallel(S2.k)"));
  CHECK(steps[0].arguments[0].value == "2*t");
  CHECK(steps[1].arguments[0].value == "32x4x1");
  CHECK(steps[2].arguments[0].value == "3 0 1 2");
  CHECK(steps[3].arguments[0].value == "S2.k");
}

TEST_CASE("an empty schedule is fine") { CHECK(parse_schedule(source(" ;; ")).empty()); }

TEST_CASE("mistakes are all reported, at the character where they are") {
  CHECK(mistakes("tile(k:8") == "--schedule:1:9: expected ',' or ')' in the arguments of tile, found the end");
  CHECK(mistakes("tile(k:)") == "--schedule:1:8: expected a value after 'k:', found ')'");
  CHECK(mistakes("tile(,)") == "--schedule:1:6: expected an argument of tile, found ','");
  CHECK(mistakes("tile(k:8,)") == "--schedule:1:10: expected an argument after ',', found ')'");
  CHECK(mistakes("tile(k:8) pad(a:1)") == "--schedule:1:11: expected ';' after tile, found 'p'");
  CHECK(mistakes("(x); tile(") ==
        "--schedule:1:1: expected a step such as tile(j:32), found '('\n"
        "--schedule:1:11: expected an argument of tile, found the end");
}

TEST_CASE("positions point into the file that holds the schedule") {
  try {
    parse_schedule({"w.yaml", "pad(a 8", 12, 11});
    FAIL("no error");
  } catch (const InputError& error) {
    CHECK(error.diagnostics().front().at.line == 12);
    CHECK(error.diagnostics().front().at.column == 19);
  }
}
