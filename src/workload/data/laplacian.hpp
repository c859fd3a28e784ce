// Three-dimensional stencils as matrices.
#pragma once

#include "workload/data/generator.hpp"

namespace mansard {

/// Rows are the points of a cube with the edge `n` (an argument), numbered x fastest; columns their neighbours at a
/// distance of 1 in up to `axes` directions at once: 7 points for axes = 1, 27 for axes = 3.
Sparsity laplacian_3d(GeneratorArguments& arguments, int axes);

}  // namespace mansard
