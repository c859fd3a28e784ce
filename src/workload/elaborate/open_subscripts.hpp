// The first half of the bounds check: which subscripts intervals cannot prove to be inside their arrays.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "workload/kernel.hpp"

namespace mansard {

/// The subscripts of one access (of an array or of an index table), as both Access and Define have them.
struct Subscripted {
  ArrayId array;
  const std::vector<Quasi>* subscripts;
  const Position* at;
};

/// Identified by the expression in the tree.
using OpenSubscripts = std::set<const Quasi*>;
OpenSubscripts open_subscripts(const Kernel& kernel);

/// Calls visitor(const Subscripted&) and define(const Define&) in the order of execution: for every access of a value
/// first its index reads, then itself.
template <class OnAccess, class OnDefine>
void visit_reads(const std::vector<Define>& reads, OnAccess&& access, OnDefine&& define) {
  for (const Define& d : reads) {
    if (d.table) access(Subscripted{*d.table, &d.subscripts, &d.at});
    define(d);
  }
}
template <class OnAccess, class OnDefine>
void visit_access(const Access& a, OnAccess&& access, OnDefine&& define) {
  visit_reads(a.indices, access, define);
  access(Subscripted{a.array, &a.subscripts, &a.at});
}
template <class OnAccess, class OnDefine>
void visit_value(const Value& v, OnAccess&& access, OnDefine&& define) {
  if (v.op == Op::load) visit_access(v.access, access, define);
  for (const Value& operand : v.operands) visit_value(operand, access, define);
}
template <class OnAccess, class OnDefine>
void visit_statement(const Statement& s, OnAccess&& access, OnDefine&& define) {
  visit_value(s.value, access, define);
  if (const auto* target = std::get_if<Access>(&s.target)) visit_access(*target, access, define);
}

}  // namespace mansard
