#include <numeric>
#include <utility>

#include "workload/data/generator.hpp"
#include "workload/data/random.hpp"

namespace mansard::generators {
namespace {

IndexValues make(GeneratorArguments& arguments) {
  const Int n = arguments.integer("n", 1, most_entries);
  Random random(arguments.seed());
  if (!arguments.ok()) return {};
  IndexValues p(static_cast<std::size_t>(n));
  std::iota(p.begin(), p.end(), 0);
  for (std::size_t i = p.size(); i > 1; --i) std::swap(p[i - 1], p[random.below(i)]);  // Fisher, Yates
  return p;
}

}  // namespace

extern const Generator permutation;
const Generator permutation{"permutation", "{n, seed: 1}: the numbers 0 to n-1 in random order", make};

}  // namespace mansard::generators
