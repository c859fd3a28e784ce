#include "model/register_pressure.hpp"

#include <algorithm>
#include <vector>

#include "model/superwords.hpp"

namespace mansard {
namespace {

constexpr double to_compute_with = 2;  // an operand on its way and the result

std::vector<StreamRef> hoisted(const std::vector<StreamNode>& nodes) {
  std::vector<StreamRef> refs;
  visit_bodies(nodes, [&](const Body& body) { refs.insert(refs.end(), body.refs.begin(), body.refs.end()); });
  return refs;
}

double registers_of(const std::vector<StreamRef>& refs, double lanes, bool across) {
  const auto wide = across ? static_cast<double>(superwords(refs, lanes).size()) : 0.0;
  return wide / lanes + (static_cast<double>(refs.size()) - wide);
}

}  // namespace

Spills spills_of(const Core& core, const StreamLoop& loop, const BodyWork& work, double lanes, bool across) {
  if (!core.registers) return {};
  const std::vector<StreamRef> stored = hoisted(loop.after);
  std::vector<StreamRef> read_only = hoisted(loop.before);
  std::erase_if(read_only, [&](const StreamRef& ref) {
    return std::any_of(stored.begin(), stored.end(), [&](const StreamRef& s) { return s.address == ref.address; });
  });
  const double accumulators = registers_of(stored, lanes, across) + work.kept.accumulators;
  const double constants = registers_of(read_only, lanes, across) + work.kept.constants;
  const double missing = accumulators + constants + to_compute_with - *core.registers;
  const double reloaded = std::clamp(missing, 0.0, constants);
  const double spilled = std::clamp(missing - reloaded, 0.0, accumulators);
  return {reloaded + spilled, spilled};
}

}  // namespace mansard
