// The same program with smaller and larger caches: between them lies what hardware does near a layer condition's edge.
#pragma once

#include <vector>

#include "machine/machine.hpp"
#include "model/result.hpp"
#include "stream/program.hpp"
#include "study/simulate.hpp"

namespace mansard {

/// The machine with all caches `scale` times as large: ways stay, sets follow.
Machine scaled(Machine machine, double scale);

/// Simulates at both ends of the smear (model/layer_condition.hpp); the results of the nests for each.
std::vector<std::vector<NestResult>> simulate_smeared(const Program& program, const Machine& machine,
                                                      const SimulateOptions& options);

}  // namespace mansard
