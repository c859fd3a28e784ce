// Text to quantity, strictly: "32 KiB", "2.5 GHz", "64 B/cy", "115 GB/s", "88 ns", "2 TFLOP/s".
// k, M, G, T are powers of 1000; Ki, Mi, Gi, Ti powers of 1024. A missing or wrong unit, trailing text, a sign where
// none makes sense, an overflow or a value that is not finite is refused with a sentence that says what was expected.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "units/quantity.hpp"

namespace mansard {

/// Either the value or one sentence without position ("missing unit: expected a size such as 32 KiB").
template <class T>
using Parsed = std::variant<T, std::string>;

Parsed<std::uint64_t> parse_size(std::string_view text);    ///< whole bytes, below 2^63; "27.5 MiB" is accepted
Parsed<std::int64_t> parse_integer(std::string_view text);  ///< decimal digits with optional sign; no octal, no hex
Parsed<double> parse_number(std::string_view text);         ///< finite, no unit; "1e9", "100e6", "0.0625"
Parsed<Hertz> parse_frequency(std::string_view text);       ///< > 0
Parsed<Seconds> parse_time(std::string_view text);          ///< s, ms, us, ns; >= 0
Parsed<BytesPerCycle> parse_bytes_per_cycle(std::string_view text);    ///< > 0, "B/cy"
Parsed<BytesPerSecond> parse_bytes_per_second(std::string_view text);  ///< > 0, "GB/s"
Parsed<FlopsPerSecond> parse_flops_per_second(std::string_view text);  ///< > 0, "GFLOP/s"

}  // namespace mansard
