#include "model/split_loads.hpp"

#include <algorithm>
#include <cstdlib>

#include "model/chain_latency.hpp"

namespace mansard {
namespace {

/// Whether the iteration also loads the element of the array that it stores: the central point.
bool has_centre(const std::vector<StorePath>& loads, ArrayId array) {
  return std::any_of(loads.begin(), loads.end(),
                     [&](const StorePath& load) { return load.array == array && load.distance == 0; });
}

Int position_in_line(Int address, Int line) { return ((address % line) + line) % line; }

}  // namespace

Cycles split_load_time(const Machine& machine, const VectorLoop& loop, std::vector<std::string>& missing) {
  const Int width = machine.core.simd, line = machine.caches.front().line;
  if (!machine.core.split_loads_wait || width > line) return {};
  const Int positions = line / width;  // of the store in its line, which compilers align to the register's width
  Cycles one_of_each;
  for (Int p = 0; p < positions; ++p) {
    Cycles longest;
    for (const StorePath& load : *loop.paths) {
      const bool beside = std::abs(load.distance) < width;
      const bool splits = position_in_line(p * width + load.distance, line) > line - width;
      if (beside && splits && has_centre(*loop.paths, load.array))
        longest = std::max(longest, latency_of(machine.core, load.path, missing));
    }
    if (longest > Cycles(0)) one_of_each += longest + latency_of(machine.core, "simd_load", missing);
  }
  return one_of_each * (loop.iterations / static_cast<double>(positions));
}

}  // namespace mansard
