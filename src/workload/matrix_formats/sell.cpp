#include <algorithm>
#include <numeric>

#include "units/large_pages.hpp"
#include "workload/data/matrix_format.hpp"

namespace mansard::matrix_formats {
namespace {

/// The rows in the order of the format: sorted by falling length within windows of `sigma` rows.
std::vector<std::int32_t> sorted_rows(const Sparsity& s, Int sigma) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(s.rows));
  std::iota(order.begin(), order.end(), 0);
  const auto length = [&](std::int32_t r) {
    return s.row[static_cast<std::size_t>(r) + 1] - s.row[static_cast<std::size_t>(r)];
  };
  for (Int window = 0; window < s.rows; window += sigma) {
    std::sort(order.begin() + window, order.begin() + std::min(s.rows, window + sigma),
              [&](std::int32_t a, std::int32_t b) { return length(a) != length(b) ? length(a) > length(b) : a < b; });
  }
  return order;
}

/// SELL-C-sigma: Kreutzer, Hager, Wellein, Fehske, Bishop, SIAM J. Sci. Comput. 36(5), 2014, doi:10.1137/130930352.
/// Chunks of `chunk` rows are padded to their longest row and stored column by column. Padding repeats the last column
/// of its row (column 0 in an empty row), so that it touches no further element of x. As in the paper, a square matrix
/// is permuted on both sides: x and y lie in the order of the sorted rows.
MatrixTables make(Sparsity s, GeneratorArguments& arguments) {
  const Int chunk = arguments.integer("chunk", 1, 1 << 20);
  const Int sigma = arguments.integer("sigma", 1, most_entries, 1);
  if (!arguments.ok()) return {};
  const std::vector<std::int32_t> order = sorted_rows(s, sigma);
  std::vector<std::int32_t> place(order.size());  // of a row in that order
  for (std::size_t i = 0; i < order.size(); ++i)
    place[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  const auto column = [&](std::int32_t c) { return s.rows == s.columns ? place[static_cast<std::size_t>(c)] : c; };

  IndexValues starts{0}, col = roomy_vector<std::int32_t>(s.col.size());
  for (Int first = 0; first < s.rows; first += chunk) {
    const auto row = [&](Int i) { return static_cast<std::size_t>(order[static_cast<std::size_t>(first + i)]); };
    const auto used = [&](Int i) { return first + i < s.rows; };
    std::int32_t longest = 0;
    for (Int i = 0; i < chunk && used(i); ++i) longest = std::max(longest, s.row[row(i) + 1] - s.row[row(i)]);
    const Int size = static_cast<Int>(col.size()) + longest * chunk;
    if (size > most_entries && !arguments.fits(size)) return {};
    for (std::int32_t j = 0; j < longest; ++j) {
      for (Int i = 0; i < chunk; ++i) {
        const std::int32_t length = used(i) ? s.row[row(i) + 1] - s.row[row(i)] : 0;
        const std::int32_t entry = length > 0 ? s.row[row(i)] + std::min(j, length - 1) : -1;
        col.push_back(entry < 0 ? 0 : column(s.col[static_cast<std::size_t>(entry)]));
      }
    }
    starts.push_back(static_cast<std::int32_t>(col.size()));
  }
  MatrixTables made{{{"nchunks", static_cast<Int>(starts.size()) - 1}, {"nentries", static_cast<Int>(col.size())}}, {}};
  made.tables.emplace_back("chunk", std::move(starts));
  made.tables.emplace_back("col", std::move(col));
  return made;
}

}  // namespace

extern const MatrixFormat sell;
const MatrixFormat sell{
    "sell",
    "{chunk, sigma: 1}: chunks of `chunk` rows, sorted by length within `sigma` rows, padded and stored "
    "by columns: pointers `chunk`, columns `col`; also nchunks and nentries",
    {"chunk", "col"},
    make};

}  // namespace mansard::matrix_formats
