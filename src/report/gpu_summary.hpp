// The summary of a run on a GPU.
#pragma once

#include <span>

#include "model/gpu_result.hpp"
#include "report/summary.hpp"

namespace mansard {

/// `results` are those of the program's nests, in order.
Summary summarize_gpu(const Machine& machine, const Kernel& kernel, const Program& program,
                      std::span<const GpuNestResult> results, const RunInfo& run);

}  // namespace mansard
