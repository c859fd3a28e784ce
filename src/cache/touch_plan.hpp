// Which touches of an affine run can change anything in its first cache: the touch with which a stream enters a line,
// and the ones that fix the order in which lines grow old. All others hit the same line again and may be dropped while
// the line stays (docs/engine.md, "Reduced streams", has the argument; cache/reduced_run.hpp keeps watch).
#pragma once

#include <cstdint>
#include <vector>

#include "stream/program.hpp"

namespace mansard {

/// A touch that is kept: iteration `offset` of each period, by reference `ref`. In period p the line is
/// (line of the reference's base) + line + p * lines_per_period.
struct Touch {
  std::uint32_t offset;  ///< 1 … period
  std::uint16_t ref;
  Kind kind;
  std::uint16_t stream;
  std::int64_t line;
  std::int64_t lines_per_period;
};

/// References that walk through the same lines at the same speed, less than a line behind each other.
struct TouchStream {
  static constexpr std::uint16_t no_store = 0xffff;
  std::uint16_t lead, trail;  ///< the first and the last reference to reach a line
  std::uint16_t store;        ///< the first store to reach it: from there on it is dirty
};

/// A run's touches are periodic: every reference moves by whole lines in `period` iterations.
struct TouchPlan {
  std::uint32_t period = 0;
  std::vector<TouchStream> streams;
  std::vector<Touch> entries;  ///< sorted by (offset, ref): on entering a line, and the trailing reference's entry
  std::vector<Touch> exits;    ///< the trailing reference's last touch of each line, with offsets 0 … period - 1
  std::vector<Touch> both;     ///< entries and exits, sorted likewise
  /// Every line is in use for the same number of iterations: lines are left in the order in which they are entered,
  /// so that the entries alone tell which line is oldest. Else the touches to keep are `both`.
  bool equal_windows = false;
  bool one_stride = false;  ///< equal windows, and all references move the same way; no non-temporal stores

  /// What the plan depends on. Runs that differ in where their arrays are, but not in where in a line, share it.
  struct Key {
    Int stride, phase, distance;  ///< base modulo line; base minus that of the array's first reference
    std::uint16_t array, first;   ///< first: the array's first reference
    std::uint8_t bytes;
    Kind kind;
    friend bool operator==(const Key&, const Key&) = default;
  };
  std::vector<Key> keys;  ///< empty: of no run that may come
};

/// Makes `plan` fit a run (it may do so already); false if the run cannot be reduced (accesses that straddle lines, few
/// iterations, non-temporal stores to lines that other references use). Run::count must be at least 2. The line size is
/// 1 << line_shift bytes.
bool plan_touches(const Run& run, int line_shift, TouchPlan& plan);

}  // namespace mansard
