#include <algorithm>

#include "units/large_pages.hpp"
#include "workload/data/generator.hpp"

namespace mansard::generators {
namespace {

Sparsity make(GeneratorArguments& arguments) {
  const Int rows = arguments.integer("rows", 1, most_entries);
  const Int band = arguments.integer("band", 0, most_entries);
  if (!arguments.ok() || !arguments.fits(rows * std::min(2 * band + 1, rows))) return {};
  Sparsity s{rows, rows, {0}, {}};
  s.col = roomy_vector<std::int32_t>(static_cast<std::size_t>(rows * std::min(2 * band + 1, rows)));
  for (Int r = 0; r < rows; ++r) {
    for (Int c = std::max<Int>(0, r - band); c <= std::min(rows - 1, r + band); ++c) {
      s.col.push_back(static_cast<std::int32_t>(c));
    }
    s.row.push_back(static_cast<std::int32_t>(s.col.size()));
  }
  return s;
}

}  // namespace

extern const Generator banded;
const Generator banded{"banded", "{rows, band}: all entries up to `band` from the diagonal", make};

}  // namespace mansard::generators
