// `energy: {flop: 10 pJ/flop, levels: {L1: 2.5 pJ/B, DRAM: 160 pJ/B}}`: what a flop and a byte cost.
#pragma once

#include "input/yaml.hpp"
#include "machine/machine.hpp"

namespace mansard {

/// The levels are those that `machine` has so far, caches and memory. Mistakes go to `wrong`.
Energy read_energy(const YamlNode* node, const Machine& machine, Diagnostics& wrong);

}  // namespace mansard
