// Assignments: to elements and scalars, and to integers that carry an index.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "workload/elaborate/elaborator.hpp"
#include "workload/elaborate/ranges.hpp"

namespace mansard {
namespace {
using Kind = ast::Expression::Kind;
}  // namespace

void Elaborator::emit(Node node) { out_->push_back(std::move(node)); }

void Elaborator::statements(const std::vector<ast::Statement>& list) {
  for (const ast::Statement& s : list) {
    try {
      statement(s);
    } catch (const InputError& error) {
      report(error);
    }
    if (diagnostics_.list().size() >= most_diagnostics) diagnostics_.throw_if_any();
  }
}

void Elaborator::statement(const ast::Statement& s) {
  if (unrolled_ > 0 && ++copies_ > most_copies) {
    throw InputError({unit_.file, 0, 0}, fmt::format("unrolling makes more than {} statements", most_copies));
  }
  if (const auto* d = std::get_if<ast::Declaration>(&s.is)) declaration(*d);
  if (const auto* a = std::get_if<ast::Assignment>(&s.is)) assignment(*a);
  if (const auto* l = std::get_if<ast::For>(&s.is)) loop(*l);
  if (const auto* i = std::get_if<ast::If>(&s.is)) branch(i->condition, *i);
  if (const auto* b = std::get_if<ast::Block>(&s.is)) block(b->body);
}

void Elaborator::assignment(const ast::Assignment& a) {
  const std::string& name = a.target.text;
  Symbol& s = symbol(name, a.target.at);
  const bool element = a.target.kind == Kind::subscript;
  if (std::holds_alternative<LoopName>(s.is))
    fail(a.at, fmt::format("the loop variable '{}' is changed in its loop", name));
  if (std::holds_alternative<ConstantName>(s.is))
    fail(a.at, fmt::format("'{}' is a constant or a parameter and cannot be changed", name));
  if (s.is_const) fail(a.at, fmt::format("'{}' is const", name));
  if (std::holds_alternative<VariableName>(s.is) && !element) return assign_index(s, a.assign, a.value, a.at);
  const auto label = facts_.labels.find(&a);
  const std::string text = label == facts_.labels.end() ? std::string() : label->second;
  if (const auto* scalar = std::get_if<ScalarName>(&s.is)) {
    if (element) fail(a.at, fmt::format("'{}' is not an array", name));
    return assign(text, scalar->id, a.assign, a.value, a.at);
  }
  const auto* array = std::get_if<ArrayName>(&s.is);
  if (!array) fail(a.at, fmt::format("'{}' cannot be assigned to", name));
  if (!element) fail(a.at, fmt::format("'{}' is an array: expected subscripts", name));
  if (kernel_.arrays[array->id].data)
    fail(a.at, fmt::format("'{}' holds the index data of the workload and cannot be written", name));
  assign(text, access(array->id, a.target), a.assign, a.value, a.at);
}

void Elaborator::assign(const std::string& label, const std::variant<ScalarId, Access>& target, Assign how,
                        const Expression& e, Place at) {
  if (e.kind == Kind::conditional && !is_data(e.operands[0]) && !always(e.operands[0])) {
    Guard yes, no;  // x = i > 0 ? a : b over indices is if (i > 0) x = a; else x = b;
    yes.at = no.at = unit_.position(e.at);
    Reads reads;
    yes.any_of = condition(e.operands[0], false, reads);
    no.any_of = negation(yes.any_of, e.at);
    for (Define& read : reads) emit({std::move(read)});
    guarded(std::move(yes), [&] { assign(label, target, how, e.operands[1], at); });
    guarded(std::move(no), [&] { assign(label, target, how, e.operands[2], at); });
    return;
  }
  Statement made;
  made.label = label;
  made.target = target;
  made.assign = how;
  made.value = value(e);
  made.at = unit_.position(at);
  // ux += cx[q] * f[q] with cx[q] = 0
  const bool sum = how == Assign::add || how == Assign::subtract;
  const bool adds_nothing = sum && made.value.op == Op::number && made.value.number == 0;
  if (adds_nothing && std::holds_alternative<ScalarId>(target)) return;
  emit({std::move(made)});
}

void Elaborator::assign_index(Symbol& s, Assign how, const Expression& e, Place at) {
  auto& variable = std::get<VariableName>(s.is);
  Reads reads;
  Quasi q = integer(e, reads);
  if (how != Assign::set) {
    if (!variable.has_value) fail(at, "this integer is changed before it has a value");
    const Quasi now = variable.known ? *variable.known : Quasi::of_slot(variable.slot);
    if (how == Assign::add) q = now + q;
    if (how == Assign::subtract) q = now - q;
    if (how == Assign::multiply) {
      if (!q.is_constant()) fail(at, "the product of two variables is not affine");
      q = now * q.constant;
    }
    if (how == Assign::divide) fail(at, "'/=' of an integer is not supported: write the quotient");
  }
  define_index(variable, checked(std::move(q), at), std::move(reads), at);
}

void Elaborator::define_index(VariableName& variable, Quasi q, Reads reads, Place at) {
  // A value that grows by itself may only do so by addition, or it would leave 62 bits in a few iterations.
  std::set<Slot> carried;
  visit_slots(q, [&](Slot slot) {
    if (changes_[slot]) carried.insert(slot);
  });
  Quasi rest = q;
  for (const Slot slot : carried) rest = rest - Quasi::of_slot(slot);
  const bool adds = carried.empty() || (carried.size() == 1 && !rest.uses(*carried.begin()));
  const Interval increment = range(rest, ranges_);
  constexpr Int largest_increment = Int{1} << 31;
  const bool small = increment.low >= -largest_increment && increment.high <= largest_increment;
  if (!adds || (!carried.empty() && !small)) {
    fail(at, "an integer carried through the loop may change only by a table or by adding what is not carried");
  }
  const bool retarget = !reads.empty() && q == Quasi::of_slot(reads.back().slot);
  if (retarget) reads.back().slot = variable.slot;
  for (Define& read : reads) emit({std::move(read)});
  if (!retarget) emit({Define{variable.slot, std::nullopt, {q}, unit_.position(at)}});
  scope_.for_each([&](const std::string&, Symbol& other) {
    auto* v = std::get_if<VariableName>(&other.is);
    if (v && v->known && v->known->uses(variable.slot)) v->known.reset();
  });
  variable.has_value = true;
  variable.known.reset();
  if (!retarget && !q.uses(variable.slot)) variable.known = std::move(q);
}

/// Where paths meet, what was known of these variables no longer is; their slots still hold it.
void Elaborator::forget(const std::set<std::string>& names) {
  scope_.for_each([&](const std::string& name, Symbol& s) {
    auto* v = std::get_if<VariableName>(&s.is);
    if (v && names.contains(name)) v->known.reset();
  });
}

}  // namespace mansard
