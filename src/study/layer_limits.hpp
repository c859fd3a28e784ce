// Up to which value of a parameter each layer condition holds, found by trying values: the condition grows with them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "report/layers.hpp"

namespace mansard {

/// The conditions of the nest with another value of the parameter; absent where there is no such kernel.
using ConditionsAt = std::function<std::optional<std::vector<LayerCondition>>(Int value)>;

/// Adds to every condition and cache the largest value for which it holds; nothing where it holds for all values that
/// can be tried. `value` is the parameter's value in `layers`.
void add_layer_limits(LayerSummary& layers, const Machine& machine, const std::string& parameter, Int value,
                      const ConditionsAt& at);

}  // namespace mansard
