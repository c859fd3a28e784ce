// Parts of the machine in words.
#pragma once

#include <string>

#include "machine/machine.hpp"

namespace mansard {

/// "64 sets × 8 ways × 64 B = 32 KiB, LRU, write-back, write-allocate, non-inclusive non-exclusive, private".
/// Switches that are not at their default are named.
std::string describe(const CacheLevel& cache, std::uint32_t cores = 1);

/// "474 M updates/s", "1.11 G updates/s".
std::string print_rate(double updates_per_second);

}  // namespace mansard
