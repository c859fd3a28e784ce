#include <string>

#include "input/yaml.hpp"
#include "support/catch.hpp"

using namespace mansard;

namespace {
YamlNode machine() { return parse_yaml("clock: 1 GHz\ncaches:\n  - {name: L1, size: 1 KiB}\n  - {name: L2}\n", "f"); }
std::string refusal(const std::string& text) {
  YamlNode root = machine();
  try {
    apply_override(root, parse_override(text));
  } catch (const InputError& wrong) {
    return wrong.what();
  }
  return "accepted";
}
}  // namespace

TEST_CASE("a value is replaced or added, elements by name or index") {
  YamlNode root = machine();
  apply_override(root, parse_override("clock=2 GHz"));
  apply_override(root, parse_override("caches.L1.size=2MiB"));
  apply_override(root, parse_override("caches.1.ways=8"));
  apply_override(root, parse_override("layout.gap=0 B"));
  apply_override(root, parse_override("caches.L1.link={load: 64 B/cy, evict: a=b}"));
  CHECK(root.find("clock")->text == "2 GHz");
  CHECK(root.find("caches")->items[0].find("size")->text == "2MiB");
  CHECK(root.find("caches")->items[1].find("ways")->text == "8");
  CHECK(root.find("layout")->find("gap")->text == "0 B");
  const YamlNode& link = *root.find("caches")->items[0].find("link");
  CHECK(link.find("evict")->text == "a=b");
  CHECK(to_string(link.find("load")->at) == "--set caches.L1.link={load: 64 B/cy, evict: a=b}");
}

TEST_CASE("overrides that are refused") {
  CHECK(refusal("clock") == "--set clock: expected path=value, such as caches.L2.size=2MiB");
  CHECK(refusal("=3").find("empty key in the path") != std::string::npos);
  CHECK(refusal("a..b=3").find("empty key in the path") != std::string::npos);
  CHECK(refusal("caches.L3.size=1 B") ==
        "--set caches.L3.size=1 B: caches.L3.size: no element 'L3'; there are L1, L2 (did you mean 'L1'?)");
  CHECK(refusal("caches.7.size=1 B").find("no element '7'") != std::string::npos);
  CHECK(refusal("clock.x=1").find("'x' is looked for in the value '1 GHz', which has no keys") != std::string::npos);
  CHECK(refusal("clock='a").find("clock: not valid YAML") != std::string::npos);
  CHECK(refusal("clock=&a 1").find("anchors are not accepted") != std::string::npos);
}
