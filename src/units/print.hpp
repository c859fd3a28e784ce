// Quantity to text for people: three to four significant digits with the unit, "27.5 MiB", "40.1 GB/s", "2.7 GHz".
#pragma once

#include <cstdint>
#include <string>

#include "units/quantity.hpp"

namespace mansard {

std::string print_size(std::uint64_t bytes);  ///< binary units: "32 KiB", "27.5 MiB", "5440 B"
std::string print_number(double value);       ///< up to four significant digits, without trailing zeros
std::string print(Hertz value);               ///< "2.7 GHz"
std::string print(Seconds value);             ///< "0.125 ms"
std::string print(Bytes value);               ///< decimal: "100 MB"
std::string print(BytesPerSecond value);      ///< "40.1 GB/s"
std::string print(BytesPerCycle value);       ///< "64 B/cy"
std::string print(FlopsPerSecond value);      ///< "16.7 GFLOP/s"

}  // namespace mansard
