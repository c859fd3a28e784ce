// What the models of a GPU work from: one nest's launches as the simulation counted them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/occupancy.hpp"
#include "model/result.hpp"
#include "stream/gpu/requests.hpp"

namespace mansard {

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
  double thread_bytes = 0;               ///< that a thread waits for at a time: its longest body's first loads
  double pages_per_block = 0;            ///< large pages that a block touches
  std::vector<GpuVariant> variants;
  std::vector<std::vector<Flow>> associative;  ///< [cache][array] over the boundary behind it, were it fully
                                               ///< associative; where that was asked for
};

}  // namespace mansard
