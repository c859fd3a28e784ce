#include <limits>

#include "workload/data/generator.hpp"

namespace mansard::generators {
namespace {

IndexValues make(GeneratorArguments& arguments) {
  if (arguments.node().type != YamlNode::Type::sequence || arguments.node().items.empty()) {
    arguments.mistake("expected a list of integers");
    return {};
  }
  IndexValues list;
  using Limits = std::numeric_limits<std::int32_t>;
  for (const YamlNode& item : arguments.node().items) {
    list.push_back(static_cast<std::int32_t>(arguments.element(item, Limits::min(), Limits::max())));
  }
  return list;
}

}  // namespace

extern const Generator values;
const Generator values{"values", "[v, v, …]: as listed", make};

}  // namespace mansard::generators
