// The work that a walk did: the bodies' worth times their executions.
#pragma once

#include <cstdint>
#include <span>

#include "stream/program.hpp"

namespace mansard {

/// Totals of one nest or of all.
struct Work {
  std::uint64_t updates = 0;
  std::uint64_t add = 0, mul = 0, fma = 0, div = 0, sqrt = 0, call = 0;  ///< as written
  [[nodiscard]] std::uint64_t flops() const { return add + mul + 2 * fma + div + sqrt; }
  Work& operator+=(const Work& o);
  friend bool operator==(const Work&, const Work&) = default;
};

/// `executions[id]` = how often Body id ran.
Work work_of(const Nest& nest, std::span<const std::uint64_t> executions);

}  // namespace mansard
