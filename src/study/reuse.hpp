// What one iteration of a loop touches: the condition under which a cache keeps it until the next iteration of that
// loop uses it again (layer condition: Stengel, Treibig, Hager, Wellein, ICS 2015, section 4.2).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "stream/program.hpp"
#include "workload/kernel.hpp"

namespace mansard {

struct LoopReuse {
  Slot slot = 0;
  std::string nest, loop;  ///< "S1", "k"
  double bytes = 0;        ///< touched by one iteration of the loop, over all arrays
  std::string inner;       ///< the loop directly inside, whose tile scales `bytes`; empty for an innermost loop
  std::uint64_t inner_trips = 0;
  double iterations = 0;                   ///< of this loop in the whole nest
  std::map<std::uint16_t, double> arrays;  ///< `bytes` by array
};

/// For every loop, the innermost first. Approximate: footprints of references
/// are boxes, counted once where they differ by what the inner loops run through.
std::vector<LoopReuse> loop_reuse(const Kernel& kernel, const Program& program, std::uint32_t line_bytes);

}  // namespace mansard
