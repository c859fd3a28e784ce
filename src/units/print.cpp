#include "units/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace mansard {
namespace {

/// Without the zeros at the end of a decimal fraction.
std::string trimmed(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

/// `value` with the decimal prefix that leaves one to three digits before the point.
std::string with_prefix(double value, std::string_view unit) {
  constexpr std::array<std::string_view, 6> prefixes{"", "k", "M", "G", "T", "P"};
  std::size_t step = 0;
  while (std::abs(value) >= 999.95 && step + 1 < prefixes.size()) value /= 1000, ++step;
  return fmt::format("{} {}{}", print_number(value), prefixes[step], unit);
}

}  // namespace

std::string print_size(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 4> units{"TiB", "GiB", "MiB", "KiB"};
  for (std::size_t i = 0; i < units.size(); ++i) {
    const std::uint64_t unit = 1ULL << (40 - 10 * i);
    // Sizes name what is simulated, so they are exact: the largest unit in which quarters are enough.
    if (bytes >= unit && bytes % unit * 4 % unit == 0)
      return trimmed(fmt::format("{:.2f}", static_cast<double>(bytes) / static_cast<double>(unit))) + " " +
             std::string(units[i]);
  }
  return fmt::format("{} B", bytes);
}

std::string print_number(double value) {
  const double size = std::abs(value);
  if (value == 0) return "0";
  if (!std::isfinite(value) || size < 1e-4 || size >= 999999.5) return fmt::format("{:.4g}", value);
  const int before = static_cast<int>(std::floor(std::log10(size))) + 1;  // digits before the point
  return trimmed(fmt::format("{:.{}f}", value, std::max(0, 4 - before)));
}

std::string print(Hertz value) { return with_prefix(value.value, "Hz"); }
std::string print(Bytes value) { return with_prefix(value.value, "B"); }
std::string print(BytesPerSecond value) { return with_prefix(value.value, "B/s"); }
std::string print(FlopsPerSecond value) { return with_prefix(value.value, "FLOP/s"); }
std::string print(BytesPerCycle value) { return print_number(value.value) + " B/cy"; }

std::string print(Seconds value) {
  constexpr std::array<std::string_view, 3> units{"s", "ms", "us"};
  double scaled = value.value;
  for (const std::string_view unit : units) {
    if (scaled == 0 || std::abs(scaled) >= 0.1 || !std::isfinite(scaled)) {
      return fmt::format("{} {}", print_number(scaled), unit);
    }
    scaled *= 1000;
  }
  return print_number(scaled) + " ns";
}

}  // namespace mansard
