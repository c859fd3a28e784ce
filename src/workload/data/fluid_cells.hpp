// The cells of a lattice Boltzmann domain as a list of fluid cells with their neighbours.
#pragma once

#include "workload/data/generator.hpp"

namespace mansard {

enum class Streaming : std::uint8_t { pull, push };

/// D3Q19 on a closed box of n*n*n cells, of which `solid` per cent, drawn at random, are solid (arguments `n`, `solid`,
/// `seed`). Row = fluid cell, numbered x fastest; its 18 entries are, for directions 1 ... 18 of the shipped D3Q19
/// workloads, the place of the population to read (pull) or to write (push): direction*cells + cell, or cell*19 +
/// direction with `aos: 1`. Towards a solid cell and the walls of the box populations come back into the opposite
/// direction of the same cell (bounce-back on the link), so that streaming is a permutation of all populations.
Sparsity fluid_cells(GeneratorArguments& arguments, Streaming streaming);

}  // namespace mansard
