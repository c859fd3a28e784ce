#include "workload/data/fluid_cells.hpp"
#include "workload/data/generator.hpp"

namespace mansard::generators {
namespace {

Sparsity make(GeneratorArguments& arguments) { return fluid_cells(arguments, Streaming::pull); }

}  // namespace

extern const Generator d3q19_pull;
const Generator d3q19_pull{
    "d3q19_pull",
    "{n, solid: 0, aos: 0, seed: 1}: the fluid cells of a closed box and where each reads its populations from", make};

}  // namespace mansard::generators
