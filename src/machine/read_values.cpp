#include <algorithm>
#include <bit>
#include <cctype>

#include "machine/read.hpp"

namespace mansard {

Parsed<std::uint32_t> parse_count(std::string_view text) {
  constexpr std::int64_t most = 1 << 20;
  const auto parsed = parse_integer(text);
  if (const auto* wrong = std::get_if<std::string>(&parsed)) return *wrong;
  const std::int64_t value = std::get<std::int64_t>(parsed);
  if (value < 1 || value > most) return "expected a whole number from 1 to " + std::to_string(most);
  return static_cast<std::uint32_t>(value);
}

Parsed<double> parse_positive(std::string_view text) {
  auto parsed = parse_number(text);
  const double* value = std::get_if<double>(&parsed);
  if (value && *value <= 0) return "expected a number above zero";
  constexpr double least = 1e-6, most = 1e9;  // beyond, a figure is a slip of the pen, and sums lose it
  if (value && (*value < least || *value > most)) return "expected a number from 1e-6 to 1e9";
  return parsed;
}

Parsed<double> parse_rate(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return parse_positive(text);
  const auto above = parse_positive(text.substr(0, slash));
  const auto below = parse_positive(text.substr(slash + 1));
  if (above.index() == 1 || below.index() == 1) return "expected a number above zero or a fraction such as 1/42";
  return std::get<0>(above) / std::get<0>(below);
}

Parsed<std::uint64_t> parse_page(std::string_view text) {
  if (text == "contiguous") return std::uint64_t{0};
  const auto parsed = parse_size(text);
  const auto* size = std::get_if<std::uint64_t>(&parsed);
  constexpr std::uint64_t smallest = 4096, largest = 1ULL << 30;
  if (!size || !std::has_single_bit(*size) || *size < smallest || *size > largest)
    return "expected contiguous or a power of two from 4 KiB to 1 GiB";
  return *size;
}

Parsed<std::string> parse_name(std::string_view text) {
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  constexpr std::size_t longest = 32;
  if (text.empty() || text.size() > longest || !std::isalpha(static_cast<unsigned char>(text[0])) ||
      !std::all_of(text.begin(), text.end(), plain))
    return Parsed<std::string>(std::in_place_index<1>, "expected a name of letters and digits such as L2");
  return Parsed<std::string>(std::in_place_index<0>, text);
}

}  // namespace mansard
