#include <numeric>
#include <utility>

#include "units/large_pages.hpp"
#include "workload/data/generator.hpp"
#include "workload/data/random.hpp"

namespace mansard::generators {
namespace {

/// next[p] for pointer chasing: one cycle through all elements, by Sattolo's algorithm. Elements lie `stride` integers
/// apart; those between them point to themselves.
IndexValues make(GeneratorArguments& arguments) {
  const Int n = arguments.integer("n", 1, most_entries);
  const auto stride = static_cast<std::size_t>(arguments.integer("stride", 1, most_entries, 1));
  Random random(arguments.seed());
  if (!arguments.ok() || !arguments.fits(n * static_cast<Int>(stride))) return {};
  const std::size_t elements = static_cast<std::size_t>(n) * stride;
  auto next = roomy_vector<std::int32_t>(elements);
  next.resize(elements);
  std::iota(next.begin(), next.end(), 0);
  for (std::size_t i = next.size() / stride; i > 1; --i)
    std::swap(next[(i - 1) * stride], next[random.below(i - 1) * stride]);
  return next;
}

}  // namespace

extern const Generator ring;
const Generator ring{"ring", "{n, stride: 1, seed: 1}: the successor of each element in one random cycle through all n",
                     make};

}  // namespace mansard::generators
