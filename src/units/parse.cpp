#include "units/parse.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

namespace mansard {
namespace {

struct Prefix {
  std::string_view text;
  double factor;
  std::uint64_t whole;
};
constexpr std::array<Prefix, 10> prefixes{{{"", 1, 1},
                                           {"k", 1e3, 1'000},
                                           {"M", 1e6, 1'000'000},
                                           {"G", 1e9, 1'000'000'000},
                                           {"T", 1e12, 1'000'000'000'000},
                                           {"P", 1e15, 1'000'000'000'000'000},
                                           {"Ki", 1024.0, 1ULL << 10},
                                           {"Mi", 1024.0 * 1024, 1ULL << 20},
                                           {"Gi", 1024.0 * 1024 * 1024, 1ULL << 30},
                                           {"Ti", 1024.0 * 1024 * 1024 * 1024, 1ULL << 40}}};

/// What a parser accepts, for its sentences.
struct Expected {
  std::string_view what;  ///< "a size such as 32 KiB"
  std::string_view unit;  ///< "B"
  bool binary = false;    ///< Ki, Mi, Gi, Ti as well
  bool zero = false;      ///< 0 makes sense
};

/// A number and what follows it.
struct Split {
  double value = 0;
  std::string_view digits, rest;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "010" is 8 to YAML 1.1 and C and 10 to people: refused.
bool has_leading_zero(std::string_view digits) {
  if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) digits.remove_prefix(1);
  return digits.size() > 1 && digits[0] == '0' && is_digit(digits[1]);
}

/// The number at the start of `text`, or a sentence; `rest` comes without the blanks before it.
Parsed<Split> split_number(std::string_view text, std::string_view what) {
  Split split;
  const char* const begin = std::to_address(text.begin());
  const auto [stop, error] = std::from_chars(begin, begin + text.size(), split.value);
  if (error == std::errc::invalid_argument) return fmt::format("not a number: expected {}", what);
  split.digits = text.substr(0, static_cast<std::size_t>(stop - begin));
  if (has_leading_zero(split.digits)) return fmt::format("leading zero: expected {}", what);
  if (error == std::errc::result_out_of_range) return fmt::format("number out of range: expected {}", what);
  if (!std::isfinite(split.value)) return fmt::format("not a finite number: expected {}", what);
  split.rest = text.substr(split.digits.size());
  while (!split.rest.empty() && split.rest.front() == ' ') split.rest.remove_prefix(1);
  return split;
}

/// The prefix before `unit`, or a sentence.
Parsed<Prefix> prefix_of(std::string_view text, const Expected& expected) {
  if (text.empty()) return fmt::format("missing unit: expected {}", expected.what);
  if (text.ends_with(expected.unit)) {
    const std::string_view found = text.substr(0, text.size() - expected.unit.size());
    for (const Prefix& prefix : prefixes)
      if (prefix.text == found && (expected.binary || !prefix.text.ends_with('i'))) return prefix;
  }
  return fmt::format("unknown unit '{}': expected {}", text, expected.what);
}

/// Value in base units; above zero unless `expected.zero`.
Parsed<double> parse_scaled(std::string_view text, const Expected& expected) {
  const auto split = split_number(text, expected.what);
  if (const auto* wrong = std::get_if<std::string>(&split)) return *wrong;
  const auto& [value, digits, rest] = std::get<Split>(split);
  const auto prefix = prefix_of(rest, expected);
  if (const auto* wrong = std::get_if<std::string>(&prefix)) return *wrong;
  const double scaled = value * std::get<Prefix>(prefix).factor;
  if (scaled < 0) return fmt::format("negative: expected {}", expected.what);
  if (scaled == 0 && !expected.zero) return fmt::format("must be above zero: expected {}", expected.what);
  constexpr double least = 1e-12, most = 1e24;  // beyond, a figure is a slip of the pen, and ratios become infinite
  if (scaled != 0 && (scaled < least || scaled > most))
    return fmt::format("number out of range: expected {}", expected.what);
  return scaled;
}

template <class Q>
Parsed<Q> parse_quantity(std::string_view text, const Expected& expected) {
  const auto scaled = parse_scaled(text, expected);
  if (const auto* wrong = std::get_if<std::string>(&scaled)) return *wrong;
  return Q(std::get<double>(scaled));
}

/// Times are divided, not multiplied: 88 ns is 88 / 1e9 s, which rounds once where 88 * 1e-9 rounds twice.
std::optional<double> parts_per_second(std::string_view unit) {
  if (unit == "s") return 1;
  if (unit == "ms") return 1e3;
  if (unit == "us") return 1e6;
  if (unit == "ns") return 1e9;
  return std::nullopt;
}

constexpr std::uint64_t size_limit = 1ULL << 63;

}  // namespace

Parsed<std::uint64_t> parse_size(std::string_view text) {
  constexpr Expected expected{"a size such as 32 KiB", "B", true, true};
  constexpr std::string_view too_large = "size out of range: it must be below 2^63 bytes";
  const auto split = split_number(text, expected.what);
  if (const auto* wrong = std::get_if<std::string>(&split)) return *wrong;
  const auto& [value, digits, rest] = std::get<Split>(split);
  const auto found = prefix_of(rest, expected);
  if (const auto* wrong = std::get_if<std::string>(&found)) return *wrong;
  const auto& prefix = std::get<Prefix>(found);
  if (value < 0 || digits.starts_with('-')) return fmt::format("negative: expected {}", expected.what);
  if (digits.find_first_not_of("0123456789") == std::string_view::npos) {  // whole numbers stay exact
    std::uint64_t whole = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), whole);
    if (error != std::errc{} || whole > (size_limit - 1) / prefix.whole) return std::string(too_large);
    return whole * prefix.whole;
  }
  const double bytes = value * prefix.factor;
  if (bytes >= 9.2e18) return std::string(too_large);
  const double whole = std::round(bytes);
  if (std::abs(bytes - whole) > bytes * std::numeric_limits<double>::epsilon())
    return fmt::format("not a whole number of bytes: expected {}", expected.what);
  return static_cast<std::uint64_t>(whole);
}

Parsed<std::int64_t> parse_integer(std::string_view text) {
  constexpr std::string_view what = "a whole number such as 20";
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::int64_t value = 0;
  const char* const begin = std::to_address(digits.begin());
  const char* const end = begin + digits.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc::invalid_argument || stop != end || text.starts_with("+-"))
    return fmt::format("expected {}", what);
  if (has_leading_zero(digits)) return fmt::format("leading zero: expected {}", what);
  if (error == std::errc::result_out_of_range) return fmt::format("number out of range: expected {}", what);
  return value;
}

Parsed<double> parse_number(std::string_view text) {
  constexpr std::string_view what = "a number without unit such as 0.5 or 1e9";
  const auto split = split_number(text, what);
  if (const auto* wrong = std::get_if<std::string>(&split)) return *wrong;
  const auto& [value, digits, rest] = std::get<Split>(split);
  if (digits.size() != text.size())
    return fmt::format("unexpected '{}' after the number: expected {}", rest.empty() ? " " : rest, what);
  return value;
}

Parsed<Hertz> parse_frequency(std::string_view text) {
  return parse_quantity<Hertz>(text, {"a frequency such as 2.5 GHz", "Hz"});
}

Parsed<Seconds> parse_time(std::string_view text) {
  constexpr std::string_view what = "a time such as 88 ns (s, ms, us, ns)";
  const auto split = split_number(text, what);
  if (const auto* wrong = std::get_if<std::string>(&split)) return *wrong;
  const auto& [value, digits, rest] = std::get<Split>(split);
  if (rest.empty()) return fmt::format("missing unit: expected {}", what);
  const auto parts = parts_per_second(rest);
  if (!parts) return fmt::format("unknown unit '{}': expected {}", rest, what);
  if (value < 0) return fmt::format("negative: expected {}", what);
  return Seconds(value / *parts);
}

Parsed<BytesPerCycle> parse_bytes_per_cycle(std::string_view text) {
  return parse_quantity<BytesPerCycle>(text, {"a width such as 64 B/cy", "B/cy", true});
}

Parsed<BytesPerSecond> parse_bytes_per_second(std::string_view text) {
  return parse_quantity<BytesPerSecond>(text, {"a bandwidth such as 115 GB/s", "B/s", true});
}

Parsed<FlopsPerSecond> parse_flops_per_second(std::string_view text) {
  return parse_quantity<FlopsPerSecond>(text, {"a performance such as 2 TFLOP/s", "FLOP/s"});
}

}  // namespace mansard
