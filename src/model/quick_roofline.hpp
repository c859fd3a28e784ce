// The quick estimate from two numbers: how many flops, how many bytes, on which machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "machine/machine.hpp"
#include "units/quantity.hpp"

namespace mansard {

/// What flops per byte of one level allow.
struct LevelRoof {
  std::string level;
  Intensity intensity;
  std::optional<BytesPerSecond> bandwidth;
  std::optional<FlopsPerSecond> roof;  ///< intensity · bandwidth; the peak is apart
};

/// Memory is the only level, unless intensities are given; the peak is that of one floating-point type, without tensor
/// units. What is not known is absent.
struct QuickRoofline {
  Flops flops;
  Bytes bytes;
  std::string type = "fp64";  ///< fp64, fp32 or fp16
  std::uint32_t cores = 1;    ///< in use; all multiprocessors of a GPU
  bool gpu = false;
  std::optional<Intensity> intensity;  ///< absent without bytes
  std::optional<FlopsPerSecond> peak;
  std::optional<BytesPerSecond> bandwidth;    ///< of `cores` cores, with the mix below
  std::string memory_mix;                     ///< "load" (GPU: "read") where it was measured, "" where it is specified
  std::string memory;                         ///< its name
  std::optional<Intensity> ridge;             ///< peak / bandwidth: where the two roofs meet
  std::optional<FlopsPerSecond> attainable;   ///< min(peak, intensity · bandwidth)
  std::optional<Seconds> launch;              ///< added to the time
  std::optional<Seconds> time;                ///< launch + max(flops / peak, bytes / bandwidth)
  std::string bound;                          ///< "compute", the memory's name, or empty
  std::vector<LevelRoof> levels;              ///< where intensities are given: of each level named
  std::optional<FlopsPerSecond> without_fma;  ///< the peak of products and sums that are not contracted, on a GPU
  std::vector<std::string> warnings;
};

/// `flops`, `bytes` >= 0, `cores` >= 1 and `type` (the caller checks); `launch` replaces the machine's. A GPU is used
/// as a whole, whatever `cores` says.
QuickRoofline quick_roofline(const Machine& machine, Flops flops, Bytes bytes, std::uint32_t cores,
                             std::optional<Seconds> launch, const std::string& type = "fp64");

/// Which roof binds, from flops per byte of some levels of a GPU, and of how many flops if that is known. Throws
/// InputError where the machine is no GPU or has no such level.
QuickRoofline level_roofline(const Machine& machine, const std::vector<std::pair<std::string, Intensity>>& intensities,
                             std::optional<Flops> flops, std::optional<Seconds> launch, const std::string& type);

}  // namespace mansard
