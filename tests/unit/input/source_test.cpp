#include <string>

#include "input/yaml.hpp"
#include "support/catch.hpp"

using namespace mansard;

namespace {
/// Position of the first `needle` of the code.
std::string where(const std::string& raw, const std::string& needle) {
  const YamlNode root = parse_yaml(raw, "f");
  const SourceText source = source_of(*root.find("code"), raw);
  return to_string(source.at(source.text.find(needle)));
}
}  // namespace

TEST_CASE("a literal block points into the file") {
  CHECK(where("name: x\ncode: |\n  int a;\n    b;\n", "int") == "f:3:3");
  CHECK(where("name: x\ncode: |\n  int a;\n    b;\n", "b;") == "f:4:5");
  CHECK(where("code: |\n\n\n     int a;\n", "int") == "f:4:6");      // blank lines first
  CHECK(where("code: |2\n     int a;\n   b;\n", "int") == "f:2:6");  // indent given
  CHECK(where("code: |2\n     int a;\n   b;\n", "b") == "f:3:4");
  CHECK(where("code: |-\r\n  x\r\n  y;\r\n", "y") == "f:3:3");  // CRLF
  CHECK(where("code:\n    |\n  x\n\n  y\n", "y") == "f:5:3");   // the bar in a line of its own
}

TEST_CASE("scalars in one line are exact, folded ones have one position") {
  CHECK(where("code: a = b;\n", "b") == "f:1:11");
  CHECK(where("code: 'a = b;'\n", "b") == "f:1:12");
  CHECK(where("x: 1\ncode: >\n  a =\n  b;\n", "b") == "f:2:7");
  CHECK(where("code: \"a\\n = b;\"\n", "b") == "f:1:7");
}

TEST_CASE("the end of the text has a position") {
  const std::string raw = "code: |\n  ab\n";
  const SourceText source = source_of(*parse_yaml(raw, "f").find("code"), raw);
  CHECK(to_string(source.at(2)) == "f:2:5");
  CHECK(to_string(source.at(source.text.size())) == "f:3:3");
}
