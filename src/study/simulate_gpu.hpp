// One simulation on a GPU: every launch of a program through sectored caches, whole where that is cheap, else a window
// of it, scaled up.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "machine/gpu.hpp"
#include "model/occupancy.hpp"
#include "model/result.hpp"
#include "stream/gpu/requests.hpp"
#include "units/quantity.hpp"

namespace mansard {

struct GpuSimulateOptions {
  bool cold = false;                 ///< start empty; false: in steady state
  bool drain = true;                 ///< with cold: write dirty sectors back at the end
  std::uint64_t seed = 1;            ///< of the speeds of blocks and the choice of warps
  std::uint64_t budget = 3'000'000;  ///< memory instructions of warps that may be simulated whole; windows take about
                                     ///< twice as many
};

/// Bytes per boundary under another order of warps or with another capacity behind the L1.
struct GpuVariant {
  std::string name;                  ///< "random warps", "L2 at 85 %"
  std::vector<std::uint64_t> bytes;  ///< [boundary], in and out
};

/// The part of a launch that was simulated, where it was not simulated whole.
struct GpuWindow {
  std::uint64_t warm_blocks = 0, blocks = 0;  ///< finished before and within the window
  std::uint64_t warm_bytes = 0;               ///< over the L1-L2 boundary before the window
  double spread = 0;  ///< of memory traffic between quarters of the window: (largest - smallest) / mean
};

struct GpuNestResult {
  NestResult nest;    ///< of the whole nest, scaled up from the window where there is one
  Requests requests;  ///< likewise
  Occupancy occupancy;
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::array<std::uint64_t, 3> grid{1, 1, 1};  ///< blocks, of the first launch
  std::uint64_t launches = 1;
  std::uint64_t blocks = 0;    ///< of one launch
  bool exact_requests = true;  ///< counted for every block, not scaled up
  std::optional<GpuWindow> window;
  std::uint64_t between_partitions = 0;  ///< bytes
  std::uint64_t l1_bytes = 0;            ///< left by shared memory
  double pages_per_sm = 0;               ///< large pages that the blocks of one multiprocessor touch at a time
  std::vector<GpuVariant> variants;
};

struct GpuSimulation {
  std::vector<GpuNestResult> nests;
  std::uint64_t instructions = 0;  ///< memory instructions of warps that were simulated
  Seconds seconds;
};

/// The nests must be mapped (see launch_of); throws InputError where one is not, or its blocks do not fit.
GpuSimulation simulate_gpu(const Program& program, const Gpu& gpu, const GpuSimulateOptions& options);

}  // namespace mansard
