// From what an iteration of an innermost loop loads to what it stores: how long it still takes once a load has arrived.
#pragma once

#include <vector>

#include "workload/kernel.hpp"

namespace mansard {

/// A load of an element that the loop walks contiguously, as it does the stored one.
struct StorePath {
  ArrayId array = 0;
  Int distance = 0;  ///< bytes of the loaded element behind the stored one's, counted in each array from its start
  FlopCount path;    ///< operations from the load to the last store that needs it; of several such paths the longest

  friend bool operator==(const StorePath&, const StorePath&) = default;
};

/// Of the statements directly in `loop` (which must contain no loop), one for each array and distance, ascending. None
/// without a contiguous store; loads whose distance to the first of them changes from iteration to iteration are left
/// out.
std::vector<StorePath> store_paths(const Kernel& kernel, const Loop& loop);

}  // namespace mansard
