// Searches the mappings of a workload to a GPU for the least predicted time.
#pragma once

#include "study/tune.hpp"

namespace mansard {

/// The axes: threads of a block along each mapped dimension, iterations folded or coarsened into a thread, the order of
/// blocks, and the sizes of tiles, each in powers of two around what the given schedule has (--schedule, or the
/// workload's `gpu`). From there along one axis after the other, with short simulations; the best are then simulated at
/// full length. The same from run to run.
Tuning tune_gpu(const RunRequest& request, const Machine& machine, const TuneOptions& options);

}  // namespace mansard
