// The loop-carried dependency chain of an innermost loop: what bounds its time however wide the core is.
#pragma once

#include "workload/kernel.hpp"

namespace mansard {

/// The slowest cycle through values carried from one iteration to the next: scalars read before they are written, and
/// elements stored in one iteration and loaded `distance` iterations later.
struct Recurrence {
  FlopCount path;              ///< operations on the cycle, per iteration
  std::uint32_t distance = 1;  ///< iterations the cycle spans; its time per iteration is latency(path) / distance
  bool reassociable = false;  ///< a plain sum or product (or min/max): compilers split it into independent partial sums
  [[nodiscard]] bool exists() const { return path != FlopCount{}; }
};

/// Of the statements directly in `loop` (which must contain no loop); none if there is no carried value.
/// The cycle with the most operations wins; reassociable cycles count only where there is no other.
Recurrence recurrence_of(const Kernel& kernel, const Loop& loop);

}  // namespace mansard
