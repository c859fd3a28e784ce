// Scalars that registers hold while a loop runs.
#pragma once

#include <cstdint>

#include "workload/kernel.hpp"

namespace mansard {

struct KeptScalars {
  std::uint32_t constants = 0;     ///< read and never written
  std::uint32_t accumulators = 0;  ///< changed by `+=` and the like
};

/// Of the statements directly in `loop`. Scalars that an iteration sets before it reads them are not kept.
KeptScalars kept_scalars(const Loop& loop);

}  // namespace mansard
