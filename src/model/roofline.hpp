// Hierarchical roofline: the time that every level and the arithmetic need, each on its own; the slowest binds.
// Williams, Waterman, Patterson, CACM 2009 (doi:10.1145/1498765.1498785); per level: Koskela et al., ISC 2018.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cache/counters.hpp"
#include "machine/machine.hpp"
#include "stream/work.hpp"
#include "units/quantity.hpp"
#include "workload/kernel.hpp"

namespace mansard {

/// The roof of one level; `level` names the far side of the boundary ("DRAM" for "L3-DRAM", "L1" for "REG-L1").
struct RooflineLevel {
  std::string level, boundary;
  Bytes bytes;                              ///< in + out
  std::optional<Seconds> time;              ///< to move them; absent where the machine gives no figure
  std::optional<BytesPerSecond> bandwidth;  ///< bytes / time: what this mix of directions can reach
  std::optional<Intensity> intensity;       ///< flops / bytes; absent without bytes
  std::optional<FlopsPerSecond> roof;       ///< min(peak, intensity · bandwidth)
};

/// One nest, or several added. Times of different levels overlap perfectly, times of different nests add.
struct Roofline {
  std::vector<RooflineLevel> levels;  ///< from the core outward
  std::optional<FlopsPerSecond> peak;
  std::optional<Seconds> compute;  ///< flops / peak
  std::optional<Seconds> time;     ///< the largest of the times that are known; absent if none is
  std::string bound_by;            ///< level, "compute", or empty
  std::string memory_mix;          ///< the measured mix whose bandwidth stands for the memory; empty if none
  std::optional<FlopsPerSecond> performance;
  std::optional<double> updates_per_second;
};

/// Elements of the widest floating-point type of the kernel's arrays in a SIMD register (double, without any).
double lanes_of(const Core& core, const Kernel& kernel);

/// 2·fma·lanes·clock·cores, without FMA units (add + mul)·lanes·clock·cores; absent where the file gives neither.
std::optional<FlopsPerSecond> peak_of(const Machine& machine, double lanes, std::uint32_t cores);

/// Bandwidths are those of `cores` cores: caches scale, memory saturates (mix.hpp).
Roofline roofline_of(const Machine& machine, double lanes, const Counters& counters, const Work& work,
                     std::uint32_t cores);

Roofline added(std::span<const Roofline> nests, const Work& total);

}  // namespace mansard
