#include "workload/data/matrix_format.hpp"

namespace mansard::matrix_formats {
namespace {

MatrixTables make(Sparsity s, GeneratorArguments& /*arguments*/) {
  return {{}, {{"row", std::move(s.row)}, {"col", std::move(s.col)}}};
}

}  // namespace

extern const MatrixFormat csr;
const MatrixFormat csr{"csr", "compressed rows: row pointers `row`, columns `col`", {"row", "col"}, make};

}  // namespace mansard::matrix_formats
