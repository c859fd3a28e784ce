// What the models work from: one nest's executions, work and traffic, as the simulation counted them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cache/counters.hpp"
#include "stream/work.hpp"

namespace mansard {

struct NestResult {
  std::string name;
  std::vector<std::uint64_t> executions;  ///< per Body::id of the program
  Work work;
  Counters counters;
  std::vector<LevelCount> tlb;  ///< look-ups of each TLB, as loads; empty where the machine has none
  std::uint32_t cores = 1;      ///< that share the nest; the counters are their sums
};

}  // namespace mansard
