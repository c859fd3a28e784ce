#include "units/large_pages.hpp"
#include "workload/data/generator.hpp"
#include "workload/data/random.hpp"

namespace mansard::generators {
namespace {

Sparsity make(GeneratorArguments& arguments) {
  const Int rows = arguments.integer("rows", 1, most_entries);
  const Int columns = arguments.integer("columns", 1, most_entries, rows);
  const Int per_row = arguments.integer("per_row", 1, columns);
  Random random(arguments.seed());
  if (!arguments.ok() || !arguments.fits(rows * per_row)) return {};
  Sparsity s{rows, columns, {0}, {}};
  s.col = roomy_vector<std::int32_t>(static_cast<std::size_t>(rows * per_row));
  for (Int r = 0; r < rows; ++r) {
    append_distinct(random, columns, per_row, s.col);
    s.row.push_back(static_cast<std::int32_t>(s.col.size()));
  }
  return s;
}

}  // namespace

extern const Generator random_uniform;
const Generator random_uniform{"random_uniform",
                               "{rows, columns: rows, per_row, seed: 1}: per_row entries anywhere in each row", make};

}  // namespace mansard::generators
