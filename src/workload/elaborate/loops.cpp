// `for` loops: bounds as max and min of quasi-affine expressions, and the unrolling of loops that select registers.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "workload/elaborate/elaborator.hpp"
#include "workload/elaborate/ranges.hpp"

namespace mansard {
namespace {
using Kind = ast::Expression::Kind;
using ast::Operator;
constexpr std::size_t most_bounds = 64;
constexpr Int largest_step = Int{1} << 40;

bool is_minimum(const std::string& name) { return name == "min" || name == "MIN"; }
bool is_maximum(const std::string& name) { return name == "max" || name == "MAX"; }

/// i < n seen from i: n > i is the same.
Operator mirrored(Operator op) {
  switch (op) {
    case Operator::less:
      return Operator::greater;
    case Operator::less_equal:
      return Operator::greater_equal;
    case Operator::greater:
      return Operator::less;
    case Operator::greater_equal:
      return Operator::less_equal;
    default:
      return op;
  }
}

bool same(const ast::Expression& a, const ast::Expression& b) {
  return a.kind == b.kind && a.op == b.op && a.integer == b.integer && a.text == b.text &&
         std::ranges::equal(a.operands, b.operands, same);
}
}  // namespace

/// A bound as the smallest (upper bounds) or largest (lower bounds) of several expressions.
std::vector<Quasi> Elaborator::bound_list(const Expression& e, bool smallest, Reads& reads) {
  const auto both = [&](const Expression& a, const Expression& b) {
    std::vector<Quasi> list = bound_list(a, smallest, reads);
    std::ranges::move(bound_list(b, smallest, reads), std::back_inserter(list));
    if (list.size() > most_bounds) fail(e.at, fmt::format("more than {} alternatives in one bound", most_bounds));
    return list;
  };
  if (e.kind == Kind::call && e.operands.size() == 2 && (smallest ? is_minimum(e.text) : is_maximum(e.text))) {
    return both(e.operands[0], e.operands[1]);
  }
  if (e.kind == Kind::conditional && e.operands[0].kind == Kind::binary && !always(e.operands[0])) {
    // a < b ? a : b is min(a, b), and so on
    const Expression& c = e.operands[0];
    const bool less = c.op == Operator::less || c.op == Operator::less_equal;
    const bool greater = c.op == Operator::greater || c.op == Operator::greater_equal;
    const bool straight = same(c.operands[0], e.operands[1]) && same(c.operands[1], e.operands[2]);
    const bool crossed = same(c.operands[0], e.operands[2]) && same(c.operands[1], e.operands[1]);
    const bool is_min = (less && straight) || (greater && crossed);
    const bool is_max = (greater && straight) || (less && crossed);
    if (smallest ? is_min : is_max) return both(e.operands[1], e.operands[2]);
  }
  if (e.kind == Kind::binary && (e.op == Operator::add || e.op == Operator::subtract)) {
    const bool add = e.op == Operator::add;
    const std::vector<Quasi> left = bound_list(e.operands[0], smallest, reads);
    const std::vector<Quasi> right = bound_list(e.operands[1], add == smallest, reads);
    std::vector<Quasi> list;
    for (const Quasi& a : left) {
      for (const Quasi& b : right) list.push_back(checked(add ? a + b : a - b, e.at));
    }
    if (list.size() > most_bounds) fail(e.at, fmt::format("more than {} alternatives in one bound", most_bounds));
    return list;
  }
  return {integer(e, reads)};
}

Elaborator::Bounds Elaborator::bounds(const ast::For& loop) {
  Bounds b;
  b.step = constant(loop.step, "the step of a loop");
  if (b.step < 1 || b.step > largest_step) {
    fail(loop.step.at,
         fmt::format("the step of the loop over {} is {}{}: the loop would never end or is not a loop", loop.variable,
                     loop.downwards ? "-" : "", b.step),
         "expected a positive amount after += or -=");
  }
  if (loop.downwards) b.step = -b.step;
  (loop.downwards ? b.upper : b.lower) = bound_list(loop.start, loop.downwards, b.reads);
  add_condition(loop, loop.condition, b);
  return b;
}

void Elaborator::add_condition(const ast::For& loop, const Expression& condition, Bounds& b) {
  if (condition.kind == Kind::binary && condition.op == Operator::logical_and) {
    add_condition(loop, condition.operands[0], b);
    add_condition(loop, condition.operands[1], b);
    return;
  }
  const auto is_variable = [&](const Expression& e) { return e.kind == Kind::name && e.text == loop.variable; };
  const bool compares =
      condition.kind == Kind::binary && condition.op >= Operator::less && condition.op <= Operator::not_equal;
  const bool left = compares && is_variable(condition.operands[0]);
  if (!left && !(compares && is_variable(condition.operands[1]))) {
    fail(condition.at, fmt::format("expected a condition such as {} < N", loop.variable));
  }
  const Operator op = left ? condition.op : mirrored(condition.op);
  const bool down = loop.downwards;
  if (op == Operator::not_equal && b.step != 1 && b.step != -1) {
    fail(condition.at,
         fmt::format("'!=' with a step of {} may never become false: use '{}'", b.step, down ? ">" : "<"));
  }
  const bool strict = op == Operator::not_equal || op == (down ? Operator::greater : Operator::less);
  if (!strict && op != (down ? Operator::greater_equal : Operator::less_equal)) {
    fail(condition.at,
         fmt::format("the loop over {} runs {} and its condition is '{}': it would never end or never run",
                     loop.variable, down ? "downwards" : "upwards", spelling(op)));
  }
  std::vector<Quasi> list = bound_list(condition.operands[left ? 1 : 0], !down, b.reads);
  for (Quasi& q : list) {
    const bool from_zero = !down && b.lower[0].is_constant() && b.lower[0].constant >= 0;
    if (from_zero && q.is_constant() && q.constant < 0) {
      fail(condition.operands[left ? 1 : 0].at,
           fmt::format("the loop over {} has the negative bound {}", loop.variable, q.constant));
    }
    if (strict) q += Quasi(down ? 1 : -1);
    (down ? b.lower : b.upper).push_back(checked(q, condition.at));
  }
}

void Elaborator::loop(const ast::For& loop) {
  Bounds b = bounds(loop);
  check_bounds_stay(loop, b);
  Interval r{std::numeric_limits<Int>::min(), std::numeric_limits<Int>::max()};
  bool exact = b.reads.empty();
  for (const Quasi& q : b.lower) r.low = std::max(r.low, tight_range(q, ranges_).low), exact = exact && q.is_constant();
  for (const Quasi& q : b.upper)
    r.high = std::min(r.high, tight_range(q, ranges_).high), exact = exact && q.is_constant();
  if (r.low > r.high) {
    if (kernel_.warnings.size() < most_diagnostics) {
      kernel_.warnings.push_back(
          fmt::format("{}: the loop over {} never runs", to_string(unit_.position(loop.at)), loop.variable));
    }
    return;
  }
  if (exact && selects_registers(loop)) {
    return b.step > 0 ? unroll(loop, r.low, r.high, b.step) : unroll(loop, r.high, r.low, b.step);
  }
  Loop made;
  made.slot = new_slot(loop.variable, r, loop.at);
  made.name = loop.variable;
  made.reads = std::move(b.reads);
  made.lower = std::move(b.lower);
  made.upper = std::move(b.upper);
  made.step = b.step;
  made.at = unit_.position(loop.at);

  const std::set<std::string> changed = assigned_in(loop.body);
  forget(changed);
  std::vector<Node>* const outside = std::exchange(out_, &made.body);
  ++loops_;
  scope_.enter();
  declare(loop.variable, {loop.at, true, LoopName{made.slot}});
  scope_.enter();
  statements(loop.body);
  scope_.leave();
  scope_.leave();
  --loops_;
  out_ = outside;
  forget(changed);
  if (!made.body.empty() || !made.reads.empty()) emit({std::move(made)});
}

void Elaborator::unroll(const ast::For& loop, Int first, Int last, Int step) {
  const Int trips = (last - first) / step + 1;
  copies_ += std::min(trips, most_copies + 1);
  if (copies_ > most_copies) {
    fail(loop.at, fmt::format("unrolling the loop over {} makes more than {} copies", loop.variable, most_copies));
  }
  ++loops_;
  ++unrolled_;
  for (Int i = first; step > 0 ? i <= last : i >= last; i += step) {
    scope_.enter();
    declare(loop.variable, {loop.at, true, ConstantName{i}});
    scope_.enter();
    statements(loop.body);
    scope_.leave();
    scope_.leave();
  }
  --unrolled_;
  --loops_;
}

/// Bounds are read once, at entry; C reads them in every iteration.
void Elaborator::check_bounds_stay(const ast::For& loop, const Bounds& b) {
  const std::set<std::string> changed = assigned_in(loop.body);
  for (const std::string& name : changed) {
    const Symbol* s = scope_.find(name);
    const auto* v = s ? std::get_if<VariableName>(&s->is) : nullptr;
    const auto uses = [v](const Quasi& q) { return q.uses(v->slot); };
    if (v && std::ranges::any_of(loop.downwards ? b.lower : b.upper, uses)) {
      fail(loop.condition.at, fmt::format("'{}' changes inside the loop that it bounds", name));
    }
  }
}

/// Whether the loop's variable, or an integer made of it, selects an element of a constant table or of an array that is
/// declared inside a loop: those are registers and cannot be subscripted by a loop that runs.
bool Elaborator::selects_registers(const ast::For& loop) {
  std::set<std::string> made_of{loop.variable}, declared;
  const auto mentions = [&](const auto& self, const Expression& e) -> bool {
    return ((e.kind == Kind::name || e.kind == Kind::subscript) && made_of.contains(e.text)) ||
           std::ranges::any_of(e.operands, [&](const Expression& o) { return self(self, o); });
  };
  const auto selects = [&](const auto& self, const Expression& e) -> bool {
    if (std::ranges::any_of(e.operands, [&](const Expression& o) { return self(self, o); })) return true;
    if (e.kind != Kind::subscript ||
        !std::ranges::any_of(e.operands, [&](const Expression& o) { return mentions(mentions, o); })) {
      return false;
    }
    if (declared.contains(e.text)) return true;
    const Symbol* s = scope_.find(e.text);
    if (!s) return false;
    const auto* array = std::get_if<ArrayName>(&s->is);
    return std::holds_alternative<TableName>(s->is) || (array && kernel_.arrays[array->id].is_private);
  };
  const auto any = [&](const auto& self, const std::vector<ast::Statement>& body) -> bool {
    for (const ast::Statement& s : body) {
      if (const auto* d = std::get_if<ast::Declaration>(&s.is)) {
        for (const ast::Declarator& one : d->declarators) {
          if (!one.extents.empty()) declared.insert(one.name);
          if (!one.initial || !one.initial->value) continue;
          if (selects(selects, *one.initial->value)) return true;
          if (mentions(mentions, *one.initial->value)) made_of.insert(one.name);
        }
      }
      if (const auto* a = std::get_if<ast::Assignment>(&s.is)) {
        if (selects(selects, a->target) || selects(selects, a->value)) return true;
        if (a->target.kind == Kind::name && mentions(mentions, a->value)) made_of.insert(a->target.text);
      }
      if (const auto* block = std::get_if<ast::Block>(&s.is); block && self(self, block->body)) return true;
      if (const auto* inner = std::get_if<ast::For>(&s.is)) {
        if (selects(selects, inner->start) || selects(selects, inner->condition) || self(self, inner->body))
          return true;
      }
      if (const auto* branch = std::get_if<ast::If>(&s.is)) {
        if (selects(selects, branch->condition) || self(self, branch->then) || self(self, branch->otherwise))
          return true;
      }
    }
    return false;
  };
  return any(any, loop.body);
}

}  // namespace mansard
