#include <algorithm>

#include "workload/data/matrix_format.hpp"

namespace mansard::matrix_formats {
namespace {

MatrixTables make(Sparsity s, GeneratorArguments& /*arguments*/) {
  IndexValues row(s.col.size());
  for (std::size_t r = 0; r + 1 < s.row.size(); ++r)
    std::fill(row.begin() + s.row[r], row.begin() + s.row[r + 1], static_cast<std::int32_t>(r));
  return {{}, {{"row", std::move(row)}, {"col", std::move(s.col)}}};
}

}  // namespace

extern const MatrixFormat coo;
const MatrixFormat coo{"coo", "coordinates: `row` and `col` of each entry, row by row", {"row", "col"}, make};

}  // namespace mansard::matrix_formats
