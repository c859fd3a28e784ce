// What a window of a launch counted, for the whole of it.
#pragma once

#include <cstdint>

#include "cache/counters.hpp"
#include "stream/gpu/requests.hpp"

namespace mansard {

/// Bytes grow with the sectors that the array's loads or stores ask for, look-ups by `factor`. Loads and stores of
/// which the window saw none, as at the ends of long blocks, are taken to move each sector once.
Counters scaled_up(const Counters& window, const Requests& part, const Requests& whole, double factor,
                   std::uint64_t sector);

/// `n` times the same, n >= 1.
Counters times(Counters counters, std::uint64_t n);

}  // namespace mansard
