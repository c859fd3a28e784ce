#include "workload/data/fluid_cells.hpp"
#include "workload/data/generator.hpp"

namespace mansard::generators {
namespace {

Sparsity make(GeneratorArguments& arguments) { return fluid_cells(arguments, Streaming::push); }

}  // namespace

extern const Generator d3q19_push;
const Generator d3q19_push{
    "d3q19_push",
    "{n, solid: 0, aos: 0, seed: 1}: the fluid cells of a closed box and where each writes its populations to", make};

}  // namespace mansard::generators
