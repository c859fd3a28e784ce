// What flops and bytes cost, where the machine file gives figures.
#pragma once

#include <optional>
#include <vector>

#include "cache/counters.hpp"
#include "machine/machine.hpp"
#include "stream/work.hpp"
#include "units/energy.hpp"

namespace mansard {

struct EnergyUse {
  std::optional<Joules> flops;
  std::vector<std::optional<Joules>> boundaries;  ///< bytes in + out of each times the level's cost
  std::optional<Joules> total;                    ///< absent if a part that is used is not known
};

/// E = flops · e_flop + Σ bytes(boundary) · e_level: dynamic energy; what the chip draws while it waits is not in it.
/// Choi, Bedard, Fowler, Vuduc, A roofline model of energy, IPDPS 2013 (doi:10.1109/IPDPS.2013.77), without their
/// constant power. Nothing of no use is unknown: without flops they cost 0. Absent where the machine gives no figure.
std::optional<EnergyUse> energy_of(const Machine& machine, const Counters& counters, const Work& work);

}  // namespace mansard
