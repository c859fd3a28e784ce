#include "workload/data/generator.hpp"
#include "workload/data/laplacian.hpp"

namespace mansard::generators {
namespace {

Sparsity make(GeneratorArguments& arguments) { return laplacian_3d(arguments, 1); }

}  // namespace

extern const Generator laplacian_3d_7pt;
const Generator laplacian_3d_7pt{"laplacian_3d_7pt",
                                 "{n}: the 7-point stencil on n*n*n points, without wrapping at the faces", make};

}  // namespace mansard::generators
