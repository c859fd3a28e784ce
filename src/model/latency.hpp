// What one core cannot hide of the memory's latency, from the machine's own benchmarks.
#pragma once

#include <optional>
#include <string>

#include "cache/counters.hpp"
#include "machine/machine.hpp"
#include "units/quantity.hpp"

namespace mansard {

/// Cycles per line over the memory boundary that one core needs beyond the ECM model's saturated bandwidth: the
/// measured time of the one-core benchmark of this mix, less what the ECM model says for it. Hardware prefetchers hide
/// latency only in part; ECM without this term is 15 to 35 % too fast for one core. At least 0; absent where the
/// machine file lacks a figure. Compare Hofmann, Hager, Fey, ISC 2018 (doi:10.1007/978-3-319-92040-5_2), who fit such a
/// term.
std::optional<Cycles> exposed_latency(const Machine& machine, const std::string& mix);

/// The same for all that a nest moves over the memory boundary, with the mix nearest to it.
std::optional<Cycles> latency_time(const Machine& machine, const Flow& memory);

/// What one core waits for its line fill buffers to be emptied of streaming stores, beyond the time that their bytes
/// take: until one_core_flow has moved. Absent without such stores, or where they do not wait.
std::optional<Cycles> wait_time(const Machine& machine, const Flow& memory);

}  // namespace mansard
