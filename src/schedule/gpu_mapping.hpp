// Loops of a nest to blocks and threads of a GPU: what the step gpu(…) does to the loop tree.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "schedule/grammar.hpp"
#include "workload/kernel.hpp"

namespace mansard {

/// One axis of a launch: which loop runs along it, and how its iterations are dealt out.
struct GpuAxis {
  const Argument* loop = nullptr;  ///< none: the axis has one block and one thread
  bool lanes = false;              ///< the threads of a block share the loop, which every block runs for itself
  std::uint32_t threads = 1;       ///< of a block
  Int fold = 1;                    ///< neighbouring iterations of a thread
  Int coarsen = 1;                 ///< iterations of a thread that lie as many apart as the block has threads
  std::optional<Int> grid;         ///< as many blocks, whose threads go on by the width of the whole grid
};
using GpuAxes = std::array<GpuAxis, 3>;  ///< x, y, z

/// Rewrites the nest, whose loops from `nest` down to the innermost mapped one must each be the only node of the one
/// around it (`lanes` aside): loops above the outermost mapped one stay (each iteration is a launch of its own), then
/// come blocks z, y, x, threads z, y, x, then the rest as it was, with copies for folded and coarsened iterations.
/// Reports what cannot be mapped.
void map_to_gpu(Kernel& kernel, Loop& nest, const GpuAxes& axes, const GpuMapping& mapping, Diagnostics& diagnostics);

/// Loops from `nest` down, each the only node of the one around it.
std::vector<Loop*> perfect_band(Loop& nest);

}  // namespace mansard
