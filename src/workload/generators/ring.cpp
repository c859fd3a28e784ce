#include <numeric>
#include <utility>

#include "workload/data/generator.hpp"
#include "workload/data/random.hpp"

namespace mansard::generators {
namespace {

/// next[p] for pointer chasing: one cycle through all elements, by Sattolo's algorithm.
IndexValues make(GeneratorArguments& arguments) {
  const Int n = arguments.integer("n", 1, most_entries);
  Random random(arguments.seed());
  if (!arguments.ok()) return {};
  IndexValues next(static_cast<std::size_t>(n));
  std::iota(next.begin(), next.end(), 0);
  for (std::size_t i = next.size(); i > 1; --i) std::swap(next[i - 1], next[random.below(i - 1)]);
  return next;
}

}  // namespace

extern const Generator ring;
const Generator ring{"ring", "{n, seed: 1}: the successor of each element in one random cycle through all n", make};

}  // namespace mansard::generators
