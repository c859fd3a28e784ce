// What a report says about the layer conditions of one nest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "model/layer_condition.hpp"

namespace mansard {

/// The largest value of a parameter for which a condition holds in a cache, all others kept.
struct LayerLimit {
  std::string parameter;
  std::optional<Int> largest;  ///< absent where it holds for none
};

/// One condition in all caches, from the core outward.
struct LayerConditionSummary {
  LayerCondition condition;
  std::vector<bool> holds;                      ///< [cache]
  std::vector<std::vector<LayerLimit>> limits;  ///< [cache]; none where nobody asked or there is no limit
};

struct LayerSummary {
  NestReuse reuse;
  std::vector<LayerConditionSummary> conditions;  ///< shortest reuse first
  std::vector<double> bytes_per_update;           ///< boundaries 1 … n; empty where closed forms do not apply
  std::vector<double> less, more;                 ///< the same at both ends of the smear of capacities
};

LayerSummary summarize_layers(const Machine& machine, NestReuse reuse);

/// Whether a closed form of the traffic, between half and 1.4 times the capacities, changes by more than 5 %.
bool near_edge(const Machine& machine, const NestReuse& reuse);

}  // namespace mansard
