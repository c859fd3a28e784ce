#include "units/parse.hpp"

#include <string>

#include "support/catch.hpp"

using namespace mansard;

namespace {
template <class T>
T value(const Parsed<T>& parsed) {
  const auto* wrong = std::get_if<1>(&parsed);
  INFO((wrong ? *wrong : std::string{}));
  REQUIRE(wrong == nullptr);
  return std::get<0>(parsed);
}
template <class T>
std::string refusal(const Parsed<T>& parsed) {
  REQUIRE(parsed.index() == 1);
  return std::get<1>(parsed);
}
}  // namespace

TEST_CASE("sizes: KiB is 1024, kB is 1000") {
  CHECK(value(parse_size("32 KiB")) == 32768);
  CHECK(value(parse_size("32KiB")) == 32768);
  CHECK(value(parse_size("32 kB")) == 32000);
  CHECK(value(parse_size("27.5 MiB")) == 28835840);
  CHECK(value(parse_size("0.57 kB")) == 570);  // 0.57 * 1000 is not 570 in binary
  CHECK(value(parse_size("0 B")) == 0);
  CHECK(value(parse_size("9223372036854775807 B")) == 9223372036854775807U);
}

TEST_CASE("sizes that are refused") {
  CHECK(refusal(parse_size("32")) == "missing unit: expected a size such as 32 KiB");
  CHECK(refusal(parse_size("32 KB")) == "unknown unit 'KB': expected a size such as 32 KiB");
  CHECK(refusal(parse_size("")) == "not a number: expected a size such as 32 KiB");
  CHECK(refusal(parse_size("KiB")) == "not a number: expected a size such as 32 KiB");
  CHECK(refusal(parse_size("-1 B")) == "negative: expected a size such as 32 KiB");
  CHECK(refusal(parse_size("-0 B")) == "negative: expected a size such as 32 KiB");
  CHECK(refusal(parse_size("010 B")) == "leading zero: expected a size such as 32 KiB");
  CHECK(refusal(parse_size("1.3 B")) == "not a whole number of bytes: expected a size such as 32 KiB");
  CHECK(refusal(parse_size("nan B")) == "not a finite number: expected a size such as 32 KiB");
  CHECK(refusal(parse_size("inf B")) == "not a finite number: expected a size such as 32 KiB");
  CHECK(refusal(parse_size("1e400 B")) == "number out of range: expected a size such as 32 KiB");
  const std::string large = "size out of range: it must be below 2^63 bytes";
  CHECK(refusal(parse_size("9223372036854775808 B")) == large);
  CHECK(refusal(parse_size("8388608 TiB")) == large);  // 2^23 * 2^40
  CHECK(refusal(parse_size("99999999999999999999 B")) == large);
  CHECK(refusal(parse_size("1e19 B")) == large);
  CHECK(refusal(parse_size("32 KiB x")).find("unknown unit") == 0);
}

TEST_CASE("integers are decimal and nothing else") {
  CHECK(value(parse_integer("20")) == 20);
  CHECK(value(parse_integer("+20")) == 20);
  CHECK(value(parse_integer("-1")) == -1);
  CHECK(value(parse_integer("0")) == 0);
  CHECK(value(parse_integer("-9223372036854775808")) == INT64_MIN);
  CHECK(refusal(parse_integer("010")) == "leading zero: expected a whole number such as 20");
  CHECK(refusal(parse_integer("9223372036854775808")).find("number out of range") == 0);
  for (const char* wrong : {"", "x", "1.5", "1e6", "0x10", "+-3", "--3", " 3", "3 ", "3 GB"}) {
    INFO(wrong);
    CHECK(refusal(parse_integer(wrong)) == "expected a whole number such as 20");
  }
}

TEST_CASE("numbers have no unit") {
  CHECK(value(parse_number("1e9")) == 1e9);
  CHECK(value(parse_number("100e6")) == 1e8);
  CHECK(value(parse_number("0.0625")) == 0.0625);
  CHECK(value(parse_number("-2")) == -2);
  CHECK(refusal(parse_number("1 GB")).find("unexpected 'GB' after the number") == 0);
  CHECK(refusal(parse_number("inf")).find("not a finite number") == 0);
  CHECK(refusal(parse_number("00.5")).find("leading zero") == 0);
}

TEST_CASE("rates and times") {
  CHECK(value(parse_frequency("2.5 GHz")).value == 2.5e9);
  CHECK(value(parse_time("88 ns")).value == 88e-9);
  CHECK(value(parse_time("0.02ms")).value == 2e-5);
  CHECK(value(parse_time("0 s")).value == 0);
  CHECK(value(parse_bytes_per_cycle("64 B/cy")).value == 64);
  CHECK(value(parse_bytes_per_second("115 GB/s")).value == 115e9);
  CHECK(value(parse_bytes_per_second("1 GiB/s")).value == 1073741824.0);
  CHECK(value(parse_flops_per_second("2 TFLOP/s")).value == 2e12);
  CHECK(refusal(parse_frequency("0 GHz")) == "must be above zero: expected a frequency such as 2.5 GHz");
  CHECK(refusal(parse_frequency("2.5 GiHz")).find("unknown unit 'GiHz'") == 0);
  CHECK(refusal(parse_frequency("-2.5 GHz")).find("negative") == 0);
  CHECK(refusal(parse_time("-1 s")).find("negative") == 0);
  CHECK(refusal(parse_time("5")).find("missing unit") == 0);
  CHECK(refusal(parse_bytes_per_cycle("64 B/s")).find("unknown unit 'B/s'") == 0);
  CHECK(refusal(parse_bytes_per_second("64 GB")).find("unknown unit 'GB'") == 0);
  CHECK(refusal(parse_bytes_per_second("1e308 PB/s")).find("number out of range") == 0);
}
