#include "schedule/rewrite.hpp"

#include <algorithm>
#include <string>

namespace mansard {
namespace {

void replace(Quasi& q, const Substitution& by) { q = substituted(q, by); }
void replace(std::vector<Quasi>& list, const Substitution& by) {
  for (Quasi& q : list) replace(q, by);
}
void replace(std::vector<Define>& reads, const Substitution& by) {
  for (Define& d : reads) replace(d.subscripts, by);
}
void replace(Access& access, const Substitution& by) {
  replace(access.subscripts, by);
  replace(access.indices, by);
}
void replace(Value& value, const Substitution& by) {
  if (value.op == Op::load) replace(value.access, by);
  if (value.op == Op::integer) replace(value.index, by);
  for (Value& operand : value.operands) replace(operand, by);
}

void replace(std::vector<Node>& nodes, const Substitution& by) {
  for (Node& node : nodes) {
    if (auto* d = std::get_if<Define>(&node.is)) replace(d->subscripts, by);
    if (auto* s = std::get_if<Statement>(&node.is)) {
      if (auto* a = std::get_if<Access>(&s->target)) replace(*a, by);
      replace(s->value, by);
    }
    if (auto* g = std::get_if<Guard>(&node.is)) {
      for (Conjunction& c : g->any_of) replace(c, by);
      replace(g->reads, by);
      for (Value& v : g->data) replace(v, by);
      replace(g->body, by);
    }
    if (auto* l = std::get_if<Loop>(&node.is)) {
      replace(l->reads, by);
      replace(l->lower, by);
      replace(l->upper, by);
      replace(l->body, by);
    }
  }
}

/// Calls visitor(ScalarId&) wherever a scalar is used.
template <class Visitor>
void visit_scalars(Value& value, const Visitor& visitor) {
  if (value.op == Op::scalar) visitor(value.scalar);
  for (Value& operand : value.operands) visit_scalars(operand, visitor);
}

}  // namespace

Quasi substituted(const Quasi& q, const Substitution& by) {
  Quasi result = q;
  for (const auto& [slot, expression] : by) {
    if (result.uses(slot)) result = result.substitute(slot, expression);
  }
  return result;
}

std::vector<Node> substituted(const std::vector<Node>& nodes, const Substitution& by) {
  std::vector<Node> result = nodes;
  replace(result, by);
  return result;
}

std::vector<Node> CopiedScalars::copy(const std::vector<Node>& nodes, const std::vector<ScalarId>& scalars,
                                      const std::string& loop, Int c) {
  std::vector<Node> result = nodes;
  if (c == 0) return result;
  const auto rename = [&](ScalarId& id) { id = own(id, scalars, loop + std::to_string(c)); };
  visit_nodes(result, [&](Node& node) {
    if (auto* guard = std::get_if<Guard>(&node.is)) {
      for (Value& v : guard->data) visit_scalars(v, rename);
    }
    auto* s = std::get_if<Statement>(&node.is);
    if (s == nullptr) return;
    visit_scalars(s->value, rename);
    if (auto* id = std::get_if<ScalarId>(&s->target)) rename(*id);
  });
  return result;
}

ScalarId CopiedScalars::own(ScalarId id, const std::vector<ScalarId>& scalars, const std::string& suffix) {
  const auto known = origin_.find(id);
  const ScalarId origin = known == origin_.end() ? id : known->second;
  if (std::ranges::find(scalars, origin) == scalars.end()) return id;
  const auto [made, is_new] = made_.try_emplace({id, suffix}, static_cast<ScalarId>(kernel_.scalars.size()));
  if (is_new) {
    Scalar scalar = kernel_.scalars[id];
    scalar.name += "_" + suffix;
    kernel_.scalars.push_back(std::move(scalar));
    origin_[made->second] = origin;
  }
  return made->second;
}

}  // namespace mansard
