#include "units/print.hpp"

#include <limits>

#include "support/catch.hpp"
#include "units/parse.hpp"

using namespace mansard;

TEST_CASE("sizes are printed exactly") {
  CHECK(print_size(0) == "0 B");
  CHECK(print_size(5440) == "5440 B");
  CHECK(print_size(32768) == "32 KiB");
  CHECK(print_size(28835840) == "27.5 MiB");
  CHECK(print_size(22118400) == "21600 KiB");  // 21.09375 MiB
  CHECK(print_size(1ULL << 40) == "1 TiB");
  for (const std::uint64_t size : {1ULL, 1023ULL, 1280ULL, 36864ULL, 1048832000ULL, (1ULL << 47) + 1})
    CHECK(std::get<0>(parse_size(print_size(size))) == size);
}

TEST_CASE("numbers have up to four significant digits") {
  CHECK(print_number(0) == "0");
  CHECK(print_number(24) == "24");
  CHECK(print_number(0.0625) == "0.0625");
  CHECK(print_number(1.0 / 3) == "0.3333");
  CHECK(print_number(56.321) == "56.32");
  CHECK(print_number(-12.5) == "-12.5");
  CHECK(print_number(123456) == "123456");
  CHECK(print_number(1e9) == "1e+09");
  CHECK(print_number(std::numeric_limits<double>::infinity()) == "inf");
}

TEST_CASE("quantities have a prefix and a unit") {
  CHECK(print(Hertz(2.7e9)) == "2.7 GHz");
  CHECK(print(Seconds(0.125e-3)) == "0.125 ms");
  CHECK(print(Seconds(88e-9)) == "88 ns");
  CHECK(print(Seconds(2)) == "2 s");
  CHECK(print(Bytes(100e6)) == "100 MB");
  CHECK(print(BytesPerSecond(40.1e9)) == "40.1 GB/s");
  CHECK(print(BytesPerCycle(64)) == "64 B/cy");
  CHECK(print(FlopsPerSecond(16.68e9)) == "16.68 GFLOP/s");
  CHECK(print(FlopsPerSecond(2e12)) == "2 TFLOP/s");
}
