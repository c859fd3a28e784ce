// What a report says about launches on a GPU beyond what it says about every machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "model/gpu_result.hpp"
#include "model/gpu_time.hpp"

namespace mansard {

/// How the warps' accesses of one array fall into sectors.
struct CoalescingSummary {
  std::string array;
  ArrayRequests requests;
  std::optional<double> sectors_per_request;  ///< of one warp instruction
  std::optional<double> efficiency;           ///< bytes asked for / bytes of the sectors touched
};

struct GpuPart {
  GpuTime time;
  std::vector<GpuNestResult> nests;  ///< one, or those that were added; without counters of requests by body
  std::vector<CoalescingSummary> coalescing;
  std::optional<double> efficiency;  ///< of all arrays
  std::uint64_t instructions = 0;    ///< of warps, that access memory
  std::uint64_t shared_instructions = 0, shared_passes = 0, shared_least = 0, shared_bytes = 0;
  std::uint64_t sectors_read = 0, sectors_written = 0;  ///< at the second level
  std::uint64_t between_partitions = 0;                 ///< bytes
  std::uint32_t sector = 32;                            ///< bytes
};

struct NestWork {
  const GpuNestResult* result;
  GpuTime time;
};

GpuPart gpu_part(const Machine& machine, const Program& program, const std::vector<NestWork>& nests, const Work& total);

/// What the profilers call the bytes of each boundary, from the multiprocessor outward; empty where none is known.
std::vector<std::string> profiler_names(const Machine& machine);

/// Lines for people, each a label and a text: launch, occupancy, coalescing, shared memory, time, interval, window.
std::vector<std::pair<std::string, std::string>> gpu_lines(const Machine& machine, const GpuPart& part);

std::vector<std::string> gpu_warnings(const Machine& machine, const GpuPart& part);

}  // namespace mansard
