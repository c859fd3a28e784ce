#include "input/yaml.hpp"

#include <string>

#include "input/file.hpp"
#include "support/catch.hpp"

using namespace mansard;

namespace {
/// The first mistake that reading `text` gives, with its position.
std::string refusal(const std::string& text) {
  try {
    parse_yaml(text, "f.yaml");
  } catch (const InputError& wrong) {
    return wrong.what();
  }
  return "accepted";
}
std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}
}  // namespace

TEST_CASE("a tree with positions") {
  const YamlNode root = parse_yaml("name: x\nlist:\n  - {a: 1, b: }\n  - \"two\"\n", "f.yaml");
  REQUIRE(root.type == YamlNode::Type::map);
  CHECK(root.find("name")->text == "x");
  CHECK(to_string(root.find("name")->at) == "f.yaml:1:7");
  CHECK(to_string(root.find("name")->key_at) == "f.yaml:1:1");
  const YamlNode& list = *root.find("list");
  REQUIRE(list.items.size() == 2);
  CHECK(to_string(list.items[0].find("a")->at) == "f.yaml:3:9");
  CHECK(list.items[0].find("b")->type == YamlNode::Type::null);
  CHECK(list.items[1].quoted);
  CHECK(root.find("absent") == nullptr);
}

TEST_CASE("scalars stay text") {
  const YamlNode root = parse_yaml("a: 010\nb: yes\nc: 1_000\n", "f.yaml");
  CHECK(root.find("a")->text == "010");
  CHECK(root.find("b")->text == "yes");
}

TEST_CASE("what strict YAML refuses") {
  CHECK(refusal("a: 1\nb: 2\na: 3\n") == "f.yaml:3:1: duplicate key 'a', given before in line 1");
  CHECK(refusal("a: &x 1\n").find("f.yaml:1:4: YAML anchors") == 0);
  CHECK(refusal("a: &x 1\nb: *x\n").find("YAML a") != std::string::npos);
  CHECK(refusal("a: !!str 1\n").find("f.yaml:1:4: YAML tags") == 0);
  CHECK(refusal("a: 1\n---\nb: 1\n").find("a second YAML document") != std::string::npos);
  CHECK(refusal("? [a]\n: 1\n").find("as a key") != std::string::npos);
  CHECK(refusal("'a': 1\n").find("f.yaml:1:1: a quoted key") == 0);
  CHECK(refusal(": 1\n").find("an empty key") != std::string::npos);
  CHECK(refusal("a: [1, 2\n").find("f.yaml:2:1: not valid YAML") == 0);
  CHECK(refusal(std::string("a: 1\nb: \x04\n")) == "f.yaml:2:4: control character 4: expected a text file");
  CHECK(refusal(std::string("a\0b: 1\n", 7)).find("control character 0") != std::string::npos);
}

TEST_CASE("deep nesting is one error at once") {
  for (const char* open : {"[", "{", "- ", "? ", "{a: ", "[[a, "}) {
    INFO(open);
    CHECK(refusal(repeated(open, 200'000)) != "accepted");
  }
  CHECK(refusal("a: " + repeated("[", 64) + repeated("]", 64)).find("nested more than 64 deep") != std::string::npos);
  CHECK(refusal("a: " + repeated("[", 63) + repeated("]", 63)) == "accepted");
}

TEST_CASE("an empty file is null") { CHECK(parse_yaml("# nothing\n", "f").type == YamlNode::Type::null); }

TEST_CASE("files that cannot be read") {
  CHECK_THROWS_WITH(load_yaml("/no/such/file.yaml"), "/no/such/file.yaml: cannot be opened: No such file or directory");
  CHECK_THROWS_WITH(load_yaml("/tmp"), "/tmp: is a directory, expected a file");
  CHECK_THROWS_WITH(read_text("/dev/zero", 1 << 20), "/dev/zero: is longer than the 1 MiB that are accepted");
}
