#include "input/matrix_market.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "input/text_lines.hpp"
#include "units/parse.hpp"

namespace mansard {
namespace {

enum class Field : std::uint8_t { real, integer, complex, pattern };
enum class Symmetry : std::uint8_t { general, symmetric, skew, hermitian };
constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();

struct Header {
  bool coordinate = true;
  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  std::int64_t rows = 0, columns = 0, entries = 0;  ///< entries as stored in the file

  /// Words of a line of data: the indices and the value.
  [[nodiscard]] std::size_t words() const {
    return (coordinate ? 2 : 0) + (field == Field::complex ? 2 : field == Field::pattern ? 0 : 1);
  }
};

std::size_t choose(const TextLines& lines, std::string_view word, const std::vector<std::string>& accepted) {
  std::string lower(word);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto found = std::find(accepted.begin(), accepted.end(), lower);
  if (found == accepted.end()) {
    throw InputError({{lines.at(word),
                       {},
                       "expected one of " + join(accepted) + ", found '" + std::string(word) + "'",
                       suggest(lower, accepted)}});
  }
  return static_cast<std::size_t>(found - accepted.begin());
}

void read_banner(TextLines& lines, Header& header) {
  const auto line = lines.next();
  const auto& words = lines.words();
  if (!line || words.size() != 5 || choose(lines, words[0], {"%%matrixmarket"}) != 0 ||
      choose(lines, words[1], {"matrix"}) != 0) {
    throw InputError(
        lines.here(),
        "not a Matrix Market file: expected a first line such as %%MatrixMarket matrix coordinate real general");
  }
  header.coordinate = choose(lines, words[2], {"coordinate", "array"}) == 0;
  header.field = static_cast<Field>(choose(lines, words[3], {"real", "integer", "complex", "pattern"}));
  header.symmetry =
      static_cast<Symmetry>(choose(lines, words[4], {"general", "symmetric", "skew-symmetric", "hermitian"}));
  if (header.field == Field::pattern && !header.coordinate)
    throw InputError(lines.at(words[3]), "an array of nothing: pattern makes sense only with coordinate");
  if (header.field == Field::pattern && header.symmetry == Symmetry::skew)
    throw InputError(lines.at(words[4]), "a pattern has no signs: expected general or symmetric");
  if (header.symmetry == Symmetry::hermitian && header.field != Field::complex)
    throw InputError(lines.at(words[4]), "hermitian makes sense only with complex");
}

/// The next line that is neither blank nor a comment; false at the end of the file.
bool next_data(TextLines& lines) {
  while (const auto line = lines.next())
    if (!lines.words().empty() && !line->starts_with('%')) return true;
  return false;
}

std::int64_t whole(const TextLines& lines, std::string_view word, std::int64_t low, std::int64_t high,
                   const std::string& what) {
  const auto parsed = parse_integer(word);
  const auto* value = std::get_if<std::int64_t>(&parsed);
  if (!value || *value < low || *value > high) {
    throw InputError(lines.at(word), what + " '" + std::string(word) + "': expected a whole number from " +
                                         std::to_string(low) + " to " + std::to_string(high));
  }
  return *value;
}

/// Entries of an array file: all of them, or the lower triangle with or without the diagonal. At most 2^62.
std::int64_t array_entries(const Header& header) {
  const std::int64_t n = header.columns;
  if (header.symmetry == Symmetry::general) return header.rows * n;
  return n % 2 == 0 ? n / 2 * (header.symmetry == Symmetry::skew ? n - 1 : n + 1)
                    : (header.symmetry == Symmetry::skew ? (n - 1) / 2 : (n + 1) / 2) * n;
}

/// Refuses what cannot be in a file of this length or would take memory without reason.
void check_sizes(const TextLines& lines, const Header& header) {
  if (header.symmetry != Symmetry::general && header.rows != header.columns)
    throw InputError(lines.here(), "a matrix with symmetry must be square");
  const std::int64_t expanded = header.symmetry == Symmetry::general ? 1 : 2;
  if (header.entries > most / expanded) throw InputError(lines.here(), "more than 2^31 entries");
  const auto shortest = 2 * static_cast<std::int64_t>(header.words());  // a digit and a separator each
  const std::uint64_t length = lines.size().value_or(std::numeric_limits<std::uint64_t>::max() - 1);
  if (static_cast<std::uint64_t>(header.entries * shortest) > length + 1) {
    throw InputError(lines.here(), std::to_string(header.entries) + " entries do not fit into a file of " +
                                       std::to_string(length) + " bytes");
  }
  constexpr std::int64_t many_rows = 1 << 24, rows_per_entry = 16;
  if (header.rows > many_rows && header.rows / rows_per_entry > header.entries)
    throw InputError(lines.here(), std::to_string(header.rows) + " rows for " + std::to_string(header.entries) +
                                       " entries: nearly all would be empty");
}

void read_sizes(TextLines& lines, Header& header) {
  if (!next_data(lines)) throw InputError(lines.here(), "the file ends before the line with the sizes");
  const auto& words = lines.words();
  if (words.size() != (header.coordinate ? 3 : 2)) {
    throw InputError(lines.here(), header.coordinate ? "expected rows, columns and the number of entries"
                                                     : "expected rows and columns");
  }
  header.rows = whole(lines, words[0], 1, most, "rows");
  header.columns = whole(lines, words[1], 1, most, "columns");
  header.entries = header.coordinate ? whole(lines, words[2], 0, most, "entries") : array_entries(header);
  check_sizes(lines, header);
}

double real_number(const TextLines& lines, std::string_view word) {
  const auto parsed = parse_number(word.starts_with('+') ? word.substr(1) : word);
  if (const auto* value = std::get_if<double>(&parsed)) return *value;
  throw InputError(lines.at(word), "'" + std::string(word) + "': " + std::get<std::string>(parsed));
}

/// The value in the words from `first` on.
double value_of(const TextLines& lines, Field field, std::size_t first) {
  const auto& words = lines.words();
  constexpr std::int64_t largest = std::int64_t{1} << 53;  // whole numbers that a double holds
  switch (field) {
    case Field::pattern:
      return 1;
    case Field::integer:
      return static_cast<double>(whole(lines, words[first], -largest, largest, "value"));
    case Field::real:
      return real_number(lines, words[first]);
    case Field::complex:
      break;
  }
  return std::hypot(real_number(lines, words[first]), real_number(lines, words[first + 1]));
}

struct Place {
  std::int64_t row, column;
};

/// Walks an array file: column by column, from the diagonal or below it where there is symmetry.
Place next_place(const Header& header, Place at) {
  if (++at.row < header.rows) return at;
  ++at.column;
  at.row = header.symmetry == Symmetry::general ? 0 : at.column + (header.symmetry == Symmetry::skew ? 1 : 0);
  return at;
}

Place place_of(const TextLines& lines, const Header& header) {
  const auto& words = lines.words();
  const Place at{whole(lines, words[0], 1, header.rows, "row") - 1,
                 whole(lines, words[1], 1, header.columns, "column") - 1};
  if (header.symmetry != Symmetry::general && at.column > at.row)
    throw InputError(lines.here(), "an entry above the diagonal: files with symmetry hold the lower triangle");
  if (header.symmetry == Symmetry::skew && at.column == at.row)
    throw InputError(lines.here(), "an entry on the diagonal, which is zero in a skew-symmetric matrix");
  return at;
}

}  // namespace

SparseMatrix read_matrix_market(const std::filesystem::path& file) {
  TextLines lines(file);
  Header header;
  read_banner(lines, header);
  read_sizes(lines, header);

  std::vector<Eigen::Triplet<double, std::int32_t>> triplets;
  if (lines.size()) triplets.reserve(static_cast<std::size_t>(header.entries));
  Place at{header.symmetry == Symmetry::skew ? 1 : 0, 0};  // of the first value of an array
  for (std::int64_t read = 0; read < header.entries; ++read) {
    if (!next_data(lines)) {
      throw InputError(lines.here(), "the file ends after " + std::to_string(read) + " of " +
                                         std::to_string(header.entries) + " entries");
    }
    if (lines.words().size() != header.words()) {
      throw InputError(lines.here(), "expected " + std::to_string(header.words()) + " numbers in a line, found " +
                                         std::to_string(lines.words().size()));
    }
    if (header.coordinate) at = place_of(lines, header);
    const double value = value_of(lines, header.field, header.coordinate ? 2 : 0);
    const auto row = static_cast<std::int32_t>(at.row), column = static_cast<std::int32_t>(at.column);
    triplets.emplace_back(row, column, value);
    const bool mirrored = header.symmetry != Symmetry::general && row != column;
    const bool negative = header.symmetry == Symmetry::skew && header.field != Field::complex;  // else a magnitude
    if (mirrored) triplets.emplace_back(column, row, negative ? -value : value);
    if (!header.coordinate) at = next_place(header, at);
  }
  if (next_data(lines))
    throw InputError(lines.here(), "more than the " + std::to_string(header.entries) + " entries that the file states");

  SparseMatrix matrix(header.rows, header.columns);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

}  // namespace mansard
