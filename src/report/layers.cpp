#include "report/layers.hpp"

#include <algorithm>
#include <utility>

namespace mansard {

LayerSummary summarize_layers(const Machine& machine, NestReuse reuse) {
  LayerSummary summary;
  if (reuse.why_not.empty()) {
    const std::vector<Bytes> room = reachable(machine);
    for (const LayerCondition& condition : layer_conditions(reuse)) {
      LayerConditionSummary one{condition, {}, {}};
      for (const Bytes bytes : room) one.holds.push_back(condition.needed <= bytes);
      one.limits.resize(room.size());
      summary.conditions.push_back(std::move(one));
    }
    summary.bytes_per_update = layer_bytes_per_update(reuse, machine);
    summary.less = layer_bytes_per_update(reuse, machine, smear.less);
    summary.more = layer_bytes_per_update(reuse, machine, smear.more);
  }
  summary.reuse = std::move(reuse);
  return summary;
}

bool near_edge(const Machine& machine, const NestReuse& reuse) {
  const auto less = layer_bytes_per_update(reuse, machine, smear.less),
             more = layer_bytes_per_update(reuse, machine, smear.more);
  for (std::size_t b = 0; b < less.size(); ++b) {
    if (smeared(less[b], more[b])) return true;
  }
  return false;
}

}  // namespace mansard
