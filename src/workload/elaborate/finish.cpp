#include "workload/elaborate/finish.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

namespace mansard {
namespace {

class Uses {
 public:
  explicit Uses(std::size_t slots) : live_(slots, false) {}
  [[nodiscard]] bool is_live(Slot s) const { return live_[s]; }
  bool changed = false;

  void of(const Quasi& q) {
    for (const Term& t : q.terms) mark(t.slot);
    for (const Floor& f : q.floors) of(f.inner);
  }
  void of(const std::vector<Quasi>& list) {
    for (const Quasi& q : list) of(q);
  }
  void of(const std::vector<Define>& reads) {
    for (const Define& d : reads) of(d.subscripts);
  }
  void of(const Access& a) { of(a.subscripts), of(a.indices); }
  void of(const Value& v) {
    if (v.op == Op::load) of(v.access);
    if (v.op == Op::integer) of(v.index);
    for (const Value& operand : v.operands) of(operand);
  }
  void of(const Node& node) {
    if (const auto* loop = std::get_if<Loop>(&node.is)) of(loop->reads), of(loop->lower), of(loop->upper);
    if (const auto* guard = std::get_if<Guard>(&node.is)) {
      of(guard->reads);
      for (const Conjunction& c : guard->any_of) of(c);
      for (const Value& v : guard->data) of(v);
    }
    if (const auto* s = std::get_if<Statement>(&node.is)) {
      if (const auto* a = std::get_if<Access>(&s->target)) of(*a);
      of(s->value);
    }
    if (const auto* d = std::get_if<Define>(&node.is); d && (d->table || live_[d->slot])) of(d->subscripts);
  }

 private:
  void mark(Slot s) {
    changed = changed || !live_[s];
    live_[s] = true;
  }
  std::vector<bool> live_;
};

void erase_unused(std::vector<Node>& nodes, const Uses& uses) {
  std::erase_if(nodes, [&](const Node& node) {
    const auto* d = std::get_if<Define>(&node.is);
    return d && !d->table && !uses.is_live(d->slot);
  });
  for (Node& node : nodes) {
    if (auto* loop = std::get_if<Loop>(&node.is)) erase_unused(loop->body, uses);
    if (auto* guard = std::get_if<Guard>(&node.is)) erase_unused(guard->body, uses);
  }
}

}  // namespace

void remove_unused_defines(Kernel& kernel) {
  Uses uses(kernel.slots.size());
  do {
    uses.changed = false;
    visit_nodes(kernel.nests, [&](const Node& node) { uses.of(node); });
  } while (uses.changed);
  erase_unused(kernel.nests, uses);
}

void mark_updates(Kernel& kernel, const std::string& name, const Position& at) {
  const auto parts = split_loop_name(name);
  const std::string& label = parts.first;
  const std::string& variable = parts.second;
  bool found = false;
  std::set<std::string> names;
  visit_nodes(kernel.nests, [&](Node& node) {
    auto* loop = std::get_if<Loop>(&node.is);
    if (!loop) return;
    names.insert(loop->name);
    if (loop->name != variable || (!label.empty() && !contains_statement(loop->body, label))) return;
    found = loop->counts_updates = true;
  });
  if (found) return;
  const std::vector<std::string> list(names.begin(), names.end());
  throw InputError({Diagnostic{at, "update", fmt::format("there is no loop '{}': the loops are {}", name, join(list)),
                               suggest(variable, list)}});
}

}  // namespace mansard
