// Index data: where row pointers, columns, permutations and flags come from. One file of generators/ is one generator;
// its name is the key under `data` of a workload file.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "workload/data/generator_arguments.hpp"

namespace mansard {

/// The pattern of a sparse matrix in CSR. Columns ascend within a row, none twice; in the order of their directions
/// where the rows are cells with neighbours (fluid_cells.hpp).
struct Sparsity {
  Int rows = 0, columns = 0;
  std::vector<std::int32_t> row;  ///< rows + 1 pointers
  std::vector<std::int32_t> col;
};

using IndexValues = std::vector<std::int32_t>;

struct Generator {
  std::string_view name;     ///< "laplacian_3d_7pt"
  std::string_view summary;  ///< one line with the arguments
  /// Reports mistakes to the arguments and returns something empty then. Deterministic.
  std::variant<Sparsity (*)(GeneratorArguments&), IndexValues (*)(GeneratorArguments&)> make;
};

/// All of generators/, by name.
std::span<const Generator* const> all_generators();

}  // namespace mansard
