// if and else: over indices, decided exactly; over data that are not known, by a declared ratio.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "workload/elaborate/elaborator.hpp"
#include "workload/elaborate/ranges.hpp"

namespace mansard {
namespace {

using Kind = ast::Expression::Kind;
using ast::Operator;

bool has_subscript(const ast::Expression& e) {
  return e.kind == Kind::subscript || std::ranges::any_of(e.operands, has_subscript);
}

const ast::Expression& leftmost(const ast::Expression& e) {
  const bool infix = e.kind == Kind::binary || e.kind == Kind::conditional;
  return infix ? leftmost(e.operands[0]) : e;
}

}  // namespace

void Elaborator::block(const std::vector<ast::Statement>& list) {
  scope_.enter();
  statements(list);
  scope_.leave();
}

void Elaborator::branch(const Expression& c, const ast::If& b) {
  if (const auto known = always(c)) return block(*known ? b.then : b.otherwise);
  const bool nests = c.kind == Kind::binary && c.op == Operator::logical_and && b.otherwise.empty();
  if (nests && !is_data(c.operands[0]) && has_subscript(c.operands[1])) {
    // if (i > 0 && u[i-1] > 0): the left side protects what the right side reads, and stays exact beside data.
    Guard outer;
    outer.at = unit_.position(leftmost(c).at);
    outer.any_of = condition(c.operands[0], false, outer.reads);
    return guarded(std::move(outer), [&] { branch(c.operands[1], b); });
  }
  is_data(c) ? data_branch(c, b) : exact_branch(c, b);
}

void Elaborator::exact_branch(const Expression& c, const ast::If& b) {
  Guard yes;
  yes.at = unit_.position(leftmost(c).at);
  yes.any_of = condition(c, false, yes.reads);
  const bool has_else = !b.otherwise.empty();
  Guard no;
  if (has_else) {
    for (Define& read : std::exchange(yes.reads, {})) emit({std::move(read)});  // read once for both branches
    no.at = yes.at;
    no.any_of = snapshot(negation(yes.any_of, c.at), b.then, c.at);
  }
  guarded(std::move(yes), [&] { block(b.then); });
  forget(assigned_in(b.then));
  if (has_else) guarded(std::move(no), [&] { block(b.otherwise); });
  forget(assigned_in(b.otherwise));
}

/// The condition of the else branch with copies of those integers that the first branch changes.
Elaborator::Dnf Elaborator::snapshot(Dnf dnf, const std::vector<ast::Statement>& before, Place at) {
  for (const std::string& name : assigned_in(before)) {
    const Symbol* s = scope_.find(name);
    const auto* v = s ? std::get_if<VariableName>(&s->is) : nullptr;
    const auto uses = [&](const Conjunction& c) {
      return std::ranges::any_of(c, [&](const Quasi& q) { return q.uses(v->slot); });
    };
    if (!v || std::ranges::none_of(dnf, uses)) continue;
    const Slot copy = new_slot(name, ranges_[v->slot], at);
    emit({Define{copy, std::nullopt, {Quasi::of_slot(v->slot)}, unit_.position(at)}});
    for (Conjunction& c : dnf) {
      for (Quasi& q : c) q = q.substitute(v->slot, Quasi::of_slot(copy));
    }
  }
  return dnf;
}

void Elaborator::data_branch(const Expression& c, const ast::If& b) {
  if (!b.ratio) {
    fail(leftmost(c).at, "this condition depends on values that are not known: say how often it holds",
         "as in if (u[i] > 0) /* ratio 0.3 */, or supply the values of an integer array under 'data'");
  }
  Guard yes;
  yes.at = unit_.position(leftmost(c).at);
  yes.ratio = b.ratio;
  yes.site = sites_++;
  yes.data.push_back(value(c));
  Guard no;  // the data were read for the first branch
  no.at = yes.at, no.ratio = yes.ratio, no.site = yes.site, no.negated = true;
  guarded(std::move(yes), [&] { block(b.then); });
  forget(assigned_in(b.then));
  if (!b.otherwise.empty()) guarded(std::move(no), [&] { block(b.otherwise); });
  forget(assigned_in(b.otherwise));
}

void Elaborator::guarded(Guard guard, const std::function<void()>& body) {
  const bool refines = guard.any_of.size() == 1;
  const auto before = refines ? refine(guard.any_of[0], ranges_) : std::vector<std::pair<Slot, Interval>>{};
  std::vector<Node>* const outside = std::exchange(out_, &guard.body);
  body();
  out_ = outside;
  restore(before, ranges_);
  if (!guard.body.empty() || !guard.reads.empty() || !guard.data.empty()) emit({std::move(guard)});
}

}  // namespace mansard
