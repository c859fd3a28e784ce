// One sentence on what binds and what would move it; every number in it comes from the run.
#pragma once

#include <string>

#include "cache/counters.hpp"
#include "machine/machine.hpp"
#include "model/ecm.hpp"
#include "model/incore.hpp"
#include "model/roofline.hpp"
#include "stream/program.hpp"

namespace mansard {

/// The whole run: all nests added, and the in-core times of the nest that binds.
struct AdviceInput {
  const Machine& machine;
  const Program& program;
  const Counters& counters;
  const InCore& core;
  std::string bound_by;    ///< level, "compute", or empty
  std::string core_bound;  ///< EcmTimes::core_bound
  double updates = 0;
};

/// Empty `bound_by` gives a sentence that says which figures are missing.
std::string advise(const AdviceInput& run);

/// Bytes that must cross the memory boundary at least once: each array that is loaded in, each that is stored out.
/// Counts whole arrays, or what is accessed where that is less. Write-allocate is not compulsory.
double compulsory_bytes(const Program& program, const Counters& counters, std::size_t array);

}  // namespace mansard
