// Ceilings below the roofs: what a kernel reaches at most without SIMD, without FMA, with its own mix of operations, or
// while it waits for one load after another. Williams, Waterman, Patterson, CACM 2009. And the cache-aware
// roofline: Ilic, Pratas, Sousa, IEEE Computer Architecture Letters 2014 (doi:10.1109/L-CA.2013.6).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "model/incore.hpp"
#include "model/result.hpp"
#include "model/roofline.hpp"
#include "stream/program.hpp"
#include "units/quantity.hpp"

namespace mansard {

/// "no SIMD", "no FMA", "operation mix", "divide", "square root", "one memory domain", "memory latency".
struct Ceiling {
  std::string name;
  Seconds time;                               ///< of the whole nest, were this all that limits it
  std::optional<FlopsPerSecond> performance;  ///< flops / time; absent without flops
};

/// Those that say something about the nest and whose figures the machine file gives, in the order above. `lanes` as
/// from lanes_of(). Latency is the time of loads whose address is the value of the load before (p = next[p]): one line
/// from memory at a time.
std::vector<Ceiling> ceilings_of(const Machine& machine, double lanes, const std::vector<Region>& regions,
                                 const Nest& nest, const NestResult& result, const InCore& core, std::uint32_t cores);

/// Nests run one after another: times of equal ceilings add.
std::vector<Ceiling> added(std::span<const std::vector<Ceiling>> nests, Flops total);

/// The cache-aware roof of one level: intensity counts what the instructions ask for (REG-L1), whatever level serves
/// it.
struct CacheAwareRoof {
  std::string level;
  BytesPerSecond bandwidth;  ///< from this level to the registers: the narrowest path on the way
  FlopsPerSecond roof;       ///< min(peak, intensity at REG-L1 · bandwidth)
};

/// From the core outward, up to the first level without a known bandwidth; empty without bytes, flops or peak.
std::vector<CacheAwareRoof> cache_aware_roofs(const Machine& machine, const Roofline& roofline, std::uint32_t cores);

}  // namespace mansard
