// What layer conditions predict without a simulation: good enough to choose what is worth simulating.
#pragma once

#include <vector>

#include "machine/machine.hpp"
#include "model/result.hpp"
#include "stream/program.hpp"
#include "workload/kernel.hpp"

namespace mansard {

/// Per nest: how often each body runs, and the lines that move if every cache keeps what its layer conditions say.
/// Approximate: bounds at their widest, caches fully associative.
std::vector<NestResult> proposed_results(const Machine& machine, const Kernel& kernel, const Program& program);

}  // namespace mansard
