// What `-v` adds to the table.
#pragma once

#include <string>

#include "report/summary.hpp"
#include "units/quantity.hpp"

namespace mansard {

/// Counters by kind and by array, look-ups, operations and in-core terms.
std::string detail_of(const Summary& summary);

/// "1 GFLOP".
std::string print_flops(Flops flops);

}  // namespace mansard
