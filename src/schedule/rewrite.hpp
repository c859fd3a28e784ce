// Copies of loop-tree nodes with slots replaced.
#pragma once

#include <map>
#include <vector>

#include "workload/kernel.hpp"

namespace mansard {

using Substitution = std::map<Slot, Quasi>;  ///< the expressions must not use slots that are replaced

Quasi substituted(const Quasi& q, const Substitution& by);
std::vector<Node> substituted(const std::vector<Node>& nodes, const Substitution& by);

/// Calls visitor(Access&) for every array access of a statement or guard condition, targets last, not for index reads.
template <class Visitor>
void visit_accesses(Value& value, Visitor&& visitor) {
  if (value.op == Op::load) visitor(value.access);
  for (Value& operand : value.operands) visit_accesses(operand, visitor);
}

}  // namespace mansard
