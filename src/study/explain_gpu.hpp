// Why a launch on a GPU moves what it moves.
#pragma once

#include "report/budget.hpp"
#include "study/run.hpp"

namespace mansard {

/// Fills are compulsory once for the whole GPU; what is more is called capacity, be it that a line was put out, that
/// several multiprocessors fetched it each for itself, or that sectors were fetched which nobody asked for. Conflicts
/// are not told apart: sets are hashed.
Budget explain_gpu(const RunRequest& request, const Machine& machine);

}  // namespace mansard
