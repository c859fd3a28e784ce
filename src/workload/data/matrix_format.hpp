// How a sparse matrix lies in memory. One file of matrix_formats/ is one format; its name is the value of `format`
// beside the generator of the matrix in a workload file.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "workload/data/generator.hpp"

namespace mansard {

/// What a format supplies beyond nrows, ncols and nnz. The names stand alone or behind "A_" for a matrix A.
struct MatrixTables {
  std::vector<std::pair<std::string, Int>> parameters;
  std::vector<std::pair<std::string, IndexValues>> tables;
};

struct MatrixFormat {
  std::string_view name;                 ///< "sell"
  std::string_view summary;              ///< one line with the arguments
  std::vector<std::string_view> tables;  ///< the names of its tables; they can be bound to other names
  /// Reports mistakes to the arguments and returns something empty then. Deterministic.
  MatrixTables (*make)(Sparsity, GeneratorArguments&);
};

/// All of matrix_formats/, by name.
std::span<const MatrixFormat* const> all_matrix_formats();

}  // namespace mansard
