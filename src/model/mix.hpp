// Memory bandwidth depends on the mix of reads and writes: the measured mix nearest to a kernel's stands for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cache/counters.hpp"
#include "machine/machine.hpp"
#include "units/quantity.hpp"

namespace mansard {

struct MemoryMix {
  std::string name;  ///< "load", "copy", "update", "triad", "daxpy"
  Bandwidth bandwidth;
};

/// The streams of a benchmark: lines that it moves while it makes one line of results.
struct MixStreams {
  std::string name;
  double loads = 0, write_allocates = 0, stores = 0;
};

/// Write-allocates are those of one core, less what the machine evades. Absent for a name that is none of the five.
std::optional<MixStreams> streams_of(const Machine& machine, const std::string& mix);

/// The mix of machine.memory.bandwidth nearest to `flow` by Euclidean distance of (demand reads, write-allocate reads,
/// writes) / total, where "load" stands for kernels with more than a tenth of writes only if nothing else is known;
/// ties go to the first of load, copy, update, triad, daxpy. Without traffic: the first measured. None if no bandwidth
/// is known.
std::optional<MemoryMix> nearest_mix(const Machine& machine, const Flow& flow);

/// What `cores` cores can move: min(cores · one core, domains in use · saturated domain), where domains are filled one
/// after another; a figure that is absent does not bound, nor does the socket's unless it is the only one.
std::optional<BytesPerSecond> bandwidth_of(const Machine& machine, const Bandwidth& mix, std::uint32_t cores);

/// What a flow costs one core at memory: where streaming stores wait in its line fill buffers (Memory::streams_wait), a
/// streamed line costs it what a line fetched for a store and written back does.
Flow one_core_flow(const Machine& machine, Flow flow);

/// At the bandwidth that one core was measured to reach; absent where that is not known.
std::optional<Seconds> one_core_time(const Machine& machine, const Flow& flow);

/// Saturated in one memory domain; else the socket's, else one core's.
std::optional<BytesPerSecond> saturated(const Bandwidth& mix);

}  // namespace mansard
