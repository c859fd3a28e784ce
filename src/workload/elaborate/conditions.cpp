// Conditions over integers in disjunctive normal form: any of several conjunctions of "expression >= 0".
#include <fmt/format.h>

#include <algorithm>

#include "workload/elaborate/elaborator.hpp"
#include "workload/elaborate/ranges.hpp"

namespace mansard {
namespace {
using Kind = ast::Expression::Kind;
using ast::Operator;
constexpr std::size_t most_conjunctions = 64;

Operator opposite(Operator op) {
  switch (op) {
    case Operator::less:
      return Operator::greater_equal;
    case Operator::less_equal:
      return Operator::greater;
    case Operator::greater:
      return Operator::less_equal;
    case Operator::greater_equal:
      return Operator::less;
    case Operator::equal:
      return Operator::not_equal;
    default:
      return Operator::equal;
  }
}
bool is_comparison(Operator op) { return op >= Operator::less && op <= Operator::not_equal; }
}  // namespace

/// Whether a condition depends on values that only the run of the program knows.
bool Elaborator::is_data(const Expression& e) {
  if (e.kind == Kind::real) return true;
  if (e.kind == Kind::cast && (e.text == "double" || e.text == "float" || e.text == "_Float16")) return true;
  if (e.kind == Kind::name) {
    const Symbol& s = symbol(e.text, e.at);
    return std::holds_alternative<NumberName>(s.is) || std::holds_alternative<ScalarName>(s.is);
  }
  if (e.kind == Kind::subscript) {
    const Symbol& s = symbol(e.text, e.at);
    if (const auto* table = std::get_if<TableName>(&s.is)) return is_float(table->type);
    const auto* array = std::get_if<ArrayName>(&s.is);
    if (array && !kernel_.arrays[array->id].data) return true;
  }
  if (e.kind == Kind::call && e.text != "min" && e.text != "max" && e.text != "MIN" && e.text != "MAX" &&
      e.text != "abs") {
    return true;
  }
  return std::ranges::any_of(e.operands, [this](const Expression& operand) { return is_data(operand); });
}

Elaborator::Dnf Elaborator::condition(const Expression& e, bool negated, Reads& reads) {
  if (e.kind == Kind::unary && e.op == Operator::logical_not) return condition(e.operands[0], !negated, reads);
  if (e.kind == Kind::binary && (e.op == Operator::logical_and || e.op == Operator::logical_or)) {
    const Dnf left = condition(e.operands[0], negated, reads);
    const Dnf right = condition(e.operands[1], negated, reads);
    const bool both = (e.op == Operator::logical_and) != negated;  // De Morgan
    return both ? all_of(left, right, e.at) : any_of(left, right, e.at);
  }
  return comparison(e, negated, reads);
}

/// a < b is b - a - 1 >= 0; anything that is no comparison is compared with zero.
Elaborator::Dnf Elaborator::comparison(const Expression& e, bool negated, Reads& reads) {
  const bool compares = e.kind == Kind::binary && is_comparison(e.op);
  Operator op = compares ? e.op : Operator::not_equal;
  if (negated) op = opposite(op);
  const Quasi left = integer(compares ? e.operands[0] : e, reads);
  const Quasi right = compares ? integer(e.operands[1], reads) : Quasi(0);
  const Quasi up = checked(right - left, e.at);  // >= 0 where left <= right
  const Quasi down = checked(left - right, e.at);
  const Quasi one(1);
  switch (op) {
    case Operator::less:
      return simplified({up - one});
    case Operator::less_equal:
      return simplified({up});
    case Operator::greater:
      return simplified({down - one});
    case Operator::greater_equal:
      return simplified({down});
    case Operator::equal:
      return simplified({up, down});
    default:
      return any_of(simplified({up - one}), simplified({down - one}), e.at);
  }
}

/// Drops what always holds; nothing is left of a conjunction that never does.
Elaborator::Dnf Elaborator::simplified(const Conjunction& conjunction) const {
  Conjunction open;
  for (const Quasi& q : conjunction) {
    const Interval r = tight_range(q, ranges_);
    if (r.high < 0) return {};
    if (r.low < 0) open.push_back(q);
  }
  return {open};
}

/// Over the same slots, so that both branches of an if share what the condition read.
Elaborator::Dnf Elaborator::negation(const Dnf& dnf, Place at) const {
  Dnf result{{}};
  for (const Conjunction& conjunction : dnf) {
    Dnf fails;
    for (const Quasi& q : conjunction) fails = any_of(std::move(fails), simplified({Quasi(-1) - q}), at);
    result = all_of(result, fails, at);
  }
  return result;
}

Elaborator::Dnf Elaborator::all_of(const Dnf& a, const Dnf& b, Place at) const {
  Dnf product;
  for (const Conjunction& left : a) {
    for (const Conjunction& right : b) {
      Conjunction both = left;
      for (const Quasi& q : right) {
        if (std::ranges::find(both, q) == both.end()) both.push_back(q);
      }
      product.push_back(std::move(both));
    }
  }
  return any_of({}, product, at);
}

Elaborator::Dnf Elaborator::any_of(Dnf a, const Dnf& b, Place at) const {
  a.insert(a.end(), b.begin(), b.end());
  if (a.size() > most_conjunctions) {
    fail(at, fmt::format("this condition has more than {} alternatives: split it", most_conjunctions));
  }
  return a;
}

}  // namespace mansard
