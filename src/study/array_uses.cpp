#include "study/array_uses.hpp"

namespace mansard {
namespace {

struct Finder : ArrayUses {
  void access(const Access& a) {
    if (!a.indices.empty()) indirect.insert(a.array);
    for (const Quasi& q : a.subscripts) {
      for (const Term& t : q.terms) slots[a.array].insert(t.slot);
    }
  }
  void value(const Value& v) {
    if (v.op == Op::load) loaded.insert(v.access.array), access(v.access);
    for (const Value& operand : v.operands) value(operand);
  }
  void statement(const Statement& s) {
    value(s.value);
    const auto* target = std::get_if<Access>(&s.target);
    if (target == nullptr) return;
    access(*target);
    stored.insert(target->array);
    if (s.assign != Assign::set) loaded.insert(target->array);
    if (target->subscripts.empty()) return;
    for (const Term& t : target->subscripts.back().terms) {
      if (t.coefficient == 1) contiguous.insert(t.slot);
    }
  }
};

}  // namespace

ArrayUses array_uses(const Kernel& kernel) {
  Finder uses;
  visit_nodes(kernel.nests, [&](const Node& node) {
    if (const auto* guard = std::get_if<Guard>(&node.is)) {
      for (const Value& v : guard->data) uses.value(v);
    }
    if (const auto* s = std::get_if<Statement>(&node.is)) uses.statement(*s);
  });
  return uses;
}

}  // namespace mansard
