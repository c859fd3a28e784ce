#include "workload/data/generator.hpp"
#include "workload/data/random.hpp"

namespace mansard::generators {
namespace {

IndexValues make(GeneratorArguments& arguments) {
  const Int n = arguments.integer("n", 1, most_entries);
  const double ratio = arguments.real("ratio", 0, 1);
  Random random(arguments.seed());
  if (!arguments.ok()) return {};
  IndexValues f(static_cast<std::size_t>(n));
  for (std::int32_t& flag : f) flag = random.unit() < ratio ? 1 : 0;
  return f;
}

}  // namespace

extern const Generator flags;
const Generator flags{"flags", "{n, ratio, seed: 1}: ones with the given probability, else zeros", make};

}  // namespace mansard::generators
