// One simulation on a GPU: every launch of a program through sectored caches, whole where that is cheap, else a window
// of it, scaled up.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "machine/gpu.hpp"
#include "model/gpu_result.hpp"
#include "units/quantity.hpp"

namespace mansard {

struct GpuSimulateOptions {
  bool cold = false;                 ///< start empty; false: in steady state
  bool drain = true;                 ///< with cold: write dirty sectors back at the end
  bool variants = true;              ///< also with the other order of warps and other capacities
  bool associative = false;          ///< also with each cache in turn fully associative
  std::uint64_t seed = 1;            ///< of the speeds of blocks and the choice of warps
  std::uint64_t budget = 2'000'000;  ///< memory instructions of warps that may be simulated, in all passes; windows of
                                     ///< each nest take up to twice as many
};

struct GpuSimulation {
  std::vector<GpuNestResult> nests;
  std::uint64_t instructions = 0;  ///< memory instructions of warps that were simulated
  Seconds seconds;
};

/// The nests must be mapped (see launch_of); throws InputError where one is not, or its blocks do not fit.
GpuSimulation simulate_gpu(const Program& program, const Gpu& gpu, const GpuSimulateOptions& options);

}  // namespace mansard
