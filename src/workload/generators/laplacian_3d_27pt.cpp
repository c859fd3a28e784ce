#include "workload/data/generator.hpp"
#include "workload/data/laplacian.hpp"

namespace mansard::generators {
namespace {

Sparsity make(GeneratorArguments& arguments) { return laplacian_3d(arguments, 3); }

}  // namespace

extern const Generator laplacian_3d_27pt;
const Generator laplacian_3d_27pt{"laplacian_3d_27pt",
                                  "{n}: the 27-point stencil on n*n*n points, without wrapping at the faces", make};

}  // namespace mansard::generators
