// Copies of loop-tree nodes with slots replaced.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "workload/kernel.hpp"

namespace mansard {

using Substitution = std::map<Slot, Quasi>;  ///< the expressions must not use slots that are replaced

Quasi substituted(const Quasi& q, const Substitution& by);
std::vector<Node> substituted(const std::vector<Node>& nodes, const Substitution& by);

/// Copies of a body that run interleaved need scalars of their own: s in the first copy of loop i, then s_i1, s_i2, …,
/// and s_i1_j2 in copies of copies.
class CopiedScalars {
 public:
  explicit CopiedScalars(Kernel& kernel) : kernel_(kernel) {}
  /// The nodes as copy c of the loop, with its own of these scalars, and of those that copies have made of them.
  std::vector<Node> copy(const std::vector<Node>& nodes, const std::vector<ScalarId>& scalars, const std::string& loop,
                         Int c);

 private:
  ScalarId own(ScalarId id, const std::vector<ScalarId>& scalars, const std::string& suffix);

  Kernel& kernel_;
  std::map<std::pair<ScalarId, std::string>, ScalarId> made_;
  std::map<ScalarId, ScalarId> origin_;
};

/// Calls visitor(Access&) for every array access of a statement or guard condition, targets last, not for index reads.
template <class Visitor>
void visit_accesses(Value& value, Visitor&& visitor) {
  if (value.op == Op::load) visitor(value.access);
  for (Value& operand : value.operands) visit_accesses(operand, visitor);
}

}  // namespace mansard
