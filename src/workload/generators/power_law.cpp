#include <algorithm>
#include <cmath>

#include "workload/data/generator.hpp"
#include "workload/data/random.hpp"

namespace mansard::generators {
namespace {

/// Row lengths follow a Pareto distribution by inversion, length = least * (1 - u)^(-1/(exponent-1)), whose mean is
/// least * (exponent-1)/(exponent-2); lengths are rounded and cut at the number of columns.
Sparsity make(GeneratorArguments& arguments) {
  const Int rows = arguments.integer("rows", 1, most_entries);
  const Int columns = arguments.integer("columns", 1, most_entries, rows);
  const double mean = arguments.real("mean", 1, 1e6);
  const double exponent = arguments.real("exponent", 2.05, 10);
  Random random(arguments.seed());
  if (!arguments.ok() || !arguments.fits(rows)) return {};
  const double least = mean * (exponent - 2) / (exponent - 1);
  Sparsity s{rows, columns, {0}, {}};
  for (Int r = 0; r < rows; ++r) {
    const double drawn = least * std::pow(1 - random.unit(), -1 / (exponent - 1));
    const auto length = static_cast<Int>(std::min(std::floor(drawn + random.unit()), static_cast<double>(columns)));
    if (static_cast<Int>(s.col.size()) + length > most_entries) {
      arguments.fits(static_cast<Int>(s.col.size()) + length);
      return {};
    }
    append_distinct(random, columns, length, s.col);
    s.row.push_back(static_cast<std::int32_t>(s.col.size()));
  }
  return s;
}

}  // namespace

extern const Generator power_law;
const Generator power_law{
    "power_law", "{rows, columns: rows, mean, exponent, seed: 1}: row lengths by a power law, columns anywhere", make};

}  // namespace mansard::generators
