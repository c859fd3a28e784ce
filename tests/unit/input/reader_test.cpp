#include <string>

#include "input/yaml.hpp"
#include "support/catch.hpp"

using namespace mansard;

TEST_CASE("typed values, and their fallbacks when absent") {
  const YamlNode root = parse_yaml("size: 32 KiB\nname: x\nback: false\nrole: victim\n", "f");
  Diagnostics wrong;
  Reader reader(root, "", wrong);
  CHECK(reader.need<std::uint64_t>("size", parse_size, 1) == 32768);
  CHECK(reader.get<std::int64_t>("ways", parse_integer, 7) == 7);
  CHECK(reader.need_text("name") == "x");
  CHECK_FALSE(reader.flag("back", true));
  CHECK(reader.flag("allocate", true));
  CHECK(reader.choice("role", {"nine", "victim"}, 0) == 1);
  reader.finish();
  CHECK(wrong.empty());
}

TEST_CASE("every mistake is collected") {
  const YamlNode root = parse_yaml("size: 32\nback: yes\nrole: victm\nname: [x]\nsiez: 1\n", "f");
  Diagnostics wrong;
  Reader reader(root, "L1", wrong);
  CHECK(reader.need<std::uint64_t>("size", parse_size, 1) == 1);
  CHECK(reader.flag("back", true));
  CHECK(reader.choice("role", {"nine", "victim"}, 0) == 0);
  CHECK(reader.text("name", "none") == "none");
  reader.need<std::int64_t>("ways", parse_integer, 1);
  reader.finish();
  REQUIRE(wrong.list().size() == 6);
  CHECK(to_string(wrong.list()[0]) == "f:1:7: L1.size: '32': missing unit: expected a size such as 32 KiB");
  CHECK(to_string(wrong.list()[1]) == "f:2:7: L1.back: expected one of false, true, found 'yes'");
  CHECK(to_string(wrong.list()[2]) ==
        "f:3:7: L1.role: expected one of nine, victim, found 'victm' (did you mean 'victim'?)");
  CHECK(to_string(wrong.list()[3]) == "f:4:7: L1.name: expected a text, found a list");
  CHECK(to_string(wrong.list()[4]) == "f:1:1: L1.ways: missing, but required");
  CHECK(to_string(wrong.list()[5]) == "f:5:1: L1.siez: unknown key (did you mean 'size'?)");
}

TEST_CASE("a value in place of a map is one mistake") {
  const YamlNode root = parse_yaml("just text\n", "f");
  Diagnostics wrong;
  Reader reader(root, "core", wrong);
  reader.need_text("name");
  reader.finish();
  REQUIRE(wrong.list().size() == 1);
  CHECK(to_string(wrong.list()[0]) == "f:1:1: core: expected a map of keys and values, found 'just text'");
}
