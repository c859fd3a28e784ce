// The smallest box of fixed size around the elements of an array that a piece of a nest touches.
#pragma once

#include <optional>
#include <vector>

#include "workload/kernel.hpp"

namespace mansard {

/// Per dimension: elements offset … offset + size - 1, where the offset is an expression of the loops around.
struct Box {
  std::vector<Quasi> offset;
  std::vector<Int> size;
};

/// A set of elements: subscripts over slots, of which `inner` run and the others are given.
struct Touched {
  std::vector<Quasi> subscripts;
  std::vector<Slot> inner;
  std::string constraints;  ///< isl text over all slots, those of the loops around included
};

/// Over the slots `outer`; none if isl finds no box of fixed size. Uses a simple hull: it may be larger than needed.
std::optional<Box> box_hull(const std::vector<Touched>& touched, const std::vector<Slot>& outer, const Position& at);

}  // namespace mansard
