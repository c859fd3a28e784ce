#include "units/large_pages.hpp"
#include "workload/data/matrix_format.hpp"

namespace mansard::matrix_formats {
namespace {

MatrixTables make(Sparsity s, GeneratorArguments& /*arguments*/) {
  auto row = roomy_vector<std::int32_t>(s.col.size());
  for (std::size_t r = 0; r + 1 < s.row.size(); ++r)
    row.insert(row.end(), static_cast<std::size_t>(s.row[r + 1] - s.row[r]), static_cast<std::int32_t>(r));
  MatrixTables made;
  made.tables.emplace_back("row", std::move(row));
  made.tables.emplace_back("col", std::move(s.col));
  return made;
}

}  // namespace

extern const MatrixFormat coo;
const MatrixFormat coo{"coo", "coordinates: `row` and `col` of each entry, row by row", {"row", "col"}, make};

}  // namespace mansard::matrix_formats
