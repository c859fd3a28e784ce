// Scalars that a loop only reads: registers hold them while it runs.
#pragma once

#include <cstdint>

#include "workload/kernel.hpp"

namespace mansard {

/// How many scalars the statements directly in `loop` read that none of them writes.
std::uint32_t constants_of(const Loop& loop);

}  // namespace mansard
