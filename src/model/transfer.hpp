// The time that each boundary below the L1 needs for what crosses it.
#pragma once

#include <optional>
#include <vector>

#include "cache/counters.hpp"
#include "machine/machine.hpp"
#include "units/quantity.hpp"

namespace mansard {

/// in/load + out/evict on a half-duplex link, the larger of the two on a full-duplex one. Absent where a direction
/// with traffic has no known width.
std::optional<Cycles> link_time(const Link& link, const Flow& flow);

/// Memory moves in + out at the saturated bandwidth of one domain with the nearest mix (mix.hpp).
std::optional<Cycles> memory_time(const Machine& machine, const Flow& flow);

/// Cycles of boundary 1 (L1-L2) … n (last cache - memory), at [0] … [n-1]. Absent where the machine
/// file gives no figure.
std::vector<std::optional<Cycles>> transfer_times(const Machine& machine, const Counters& counters);

}  // namespace mansard
