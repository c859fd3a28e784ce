// One line: what would move the term that binds on a GPU, and what to try first.
#pragma once

#include <optional>
#include <string>

#include "model/gpu_result.hpp"
#include "model/gpu_time.hpp"

namespace mansard {

struct GpuAdviceInput {
  const Machine& machine;
  const Program& program;
  const GpuNestResult& result;  ///< of the nest that takes longest
  const GpuTime& time;
};

std::string gpu_advice(const GpuAdviceInput& input);

}  // namespace mansard
