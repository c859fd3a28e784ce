// How long the launches of a nest take on a GPU: the time of every level and of the arithmetic, and what of it does not
// hide behind the one that binds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "model/ceilings.hpp"
#include "model/gpu_result.hpp"
#include "model/roofline.hpp"

namespace mansard {

/// T = max + overlap * (sum of the others' excess) + launches * launch time. The excess of a level is its time beyond
/// that of a stream of as many bytes as the next level moves: measured bandwidths of a level contain the way through
/// the levels before it.
struct GpuTime {
  Roofline roofline;                  ///< levels, peak and compute as the times below; `time` is the estimate
  std::string type;                   ///< of the arithmetic: "fp64", "fp32", "fp16"
  std::optional<Seconds> shared;      ///< passes through shared memory; absent without
  std::optional<Seconds> issue;       ///< of all warp instructions
  std::optional<Seconds> launch;      ///< of all launches
  std::optional<Seconds> at_best;     ///< the largest of the times: what perfect overlap would give
  double waves = 0;                   ///< blocks over those that fit at a time
  double tail = 1;                    ///< blocks of the busiest SM over the average
  std::optional<double> concurrency;  ///< share of the measured memory bandwidth that the bytes in flight can fetch
  std::vector<Ceiling> ceilings;      ///< "no FMA", "tensor"
  std::string missing;                ///< what is left out since the machine file does not give it; empty if nothing
};

/// Measured bandwidth for a mix in which `read` of all bytes are read: linear between read, scale (half and half) and
/// init; where one is unknown, the nearest that is known. Empty if none is. `mix` says which.
std::optional<BytesPerSecond> mixed_bandwidth(const std::map<std::string, BytesPerSecond>& measured, double read,
                                              std::string& mix);

GpuTime gpu_time(const Machine& machine, const Kernel& kernel, const Nest& nest, const GpuNestResult& result);

/// Nests run one after another: their times add.
GpuTime added(std::span<const GpuTime> nests, const Work& total);

}  // namespace mansard
