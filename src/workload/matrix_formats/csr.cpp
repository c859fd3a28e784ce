#include "workload/data/matrix_format.hpp"

namespace mansard::matrix_formats {
namespace {

MatrixTables make(Sparsity s, GeneratorArguments& /*arguments*/) {
  MatrixTables made;
  made.tables.emplace_back("row", std::move(s.row));  // a braced list would copy them
  made.tables.emplace_back("col", std::move(s.col));
  return made;
}

}  // namespace

extern const MatrixFormat csr;
const MatrixFormat csr{"csr", "compressed rows: row pointers `row`, columns `col`", {"row", "col"}, make};

}  // namespace mansard::matrix_formats
