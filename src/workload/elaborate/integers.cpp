// Index arithmetic: integer expressions as quasi-affine functions of slots, with the index tables they read.
#include <fmt/format.h>

#include <algorithm>

#include "workload/elaborate/elaborator.hpp"
#include "workload/elaborate/ranges.hpp"

namespace mansard {
namespace {
using Kind = ast::Expression::Kind;
using ast::Operator;
constexpr std::size_t most_slots = 60'000;

bool is_minimum(const std::string& name) { return name == "min" || name == "MIN"; }
bool is_maximum(const std::string& name) { return name == "max" || name == "MAX"; }
}  // namespace

Quasi Elaborator::checked(Quasi q, Place at) const {
  if (!fits(q, ranges_)) fail(at, "this integer expression can pass 2^62");
  return q;
}

Quasi Elaborator::integer(const Expression& e, Reads& reads) {
  count_node(e.at);
  switch (e.kind) {
    case Kind::integer:
      return checked(Quasi(e.integer), e.at);
    case Kind::real:
      fail(e.at, fmt::format("expected an integer, found {}", e.real));
    case Kind::name:
      return integer_name(e);
    case Kind::subscript:
      return read_index(e, reads);
    case Kind::binary:
      return integer_binary(e, reads);
    case Kind::call:
      return integer_call(e, reads);
    case Kind::unary:
      if (e.op == Operator::negate) return checked(integer(e.operands[0], reads) * -1, e.at);
      break;
    case Kind::cast:
      if (e.text == "double" || e.text == "float" || e.text == "_Float16") {
        fail(e.at, fmt::format("expected an integer, found a value of type {}", e.text));
      }
      return integer(e.operands[0], reads);
    case Kind::conditional:
      if (const auto known = always(e.operands[0])) return integer(e.operands[*known ? 1 : 2], reads);
      fail(e.at, "a choice by '?' is not quasi-affine here", "use if and else");
  }
  if (const auto known = always(e)) return Quasi(*known ? 1 : 0);
  fail(e.at, fmt::format("'{}' gives a truth value that changes, not an index", spelling(e.op)), "use if and else");
}

Quasi Elaborator::integer_binary(const Expression& e, Reads& reads) {
  const bool arithmetic = e.op >= Operator::add && e.op <= Operator::modulo;
  if (!arithmetic) {
    if (const auto known = always(e)) return Quasi(*known ? 1 : 0);
    fail(e.at, fmt::format("'{}' gives a truth value that changes, not an index", spelling(e.op)), "use if and else");
  }
  Quasi left = integer(e.operands[0], reads);
  const Quasi right = integer(e.operands[1], reads);
  switch (e.op) {
    case Operator::add:
      return checked(left + right, e.at);
    case Operator::subtract:
      return checked(left - right, e.at);
    case Operator::multiply:
      if (right.is_constant()) return checked(left * right.constant, e.at);
      if (left.is_constant()) return checked(right * left.constant, e.at);
      fail(e.at, "the product of two variables is not affine: one factor must be a number or a parameter");
    default:
      return integer_division(e, left, right);
  }
}

/// C truncates towards zero; the analysis needs floor. They agree where the numerator is never negative.
Quasi Elaborator::integer_division(const Expression& e, const Quasi& numerator, const Quasi& divisor) {
  const char* sign = spelling(e.op);
  if (!divisor.is_constant()) fail(e.at, fmt::format("the divisor of '{}' must be a number or a parameter", sign));
  const Int d = divisor.constant;
  if (d == 0) fail(e.at, fmt::format("division by zero in '{}'", sign));
  const bool quotient = e.op == Operator::divide;
  if (numerator.is_constant()) return Quasi(quotient ? numerator.constant / d : numerator.constant % d);
  if (d < 0) fail(e.at, fmt::format("the divisor of '{}' is {}: expected a positive number", sign, d));
  const Interval r = tight_range(numerator, ranges_);
  if (r.low < 0) {
    fail(e.at,
         fmt::format("the left side of '{}' may be negative (down to {}): C rounds towards zero there, which is not "
                     "quasi-affine",
                     sign, r.low),
         fmt::format("add a multiple of {} first", d));
  }
  return checked(quotient ? floor_div(numerator, d) : modulo(numerator, d), e.at);
}

Quasi Elaborator::integer_call(const Expression& e, Reads& reads) {
  const bool smallest = is_minimum(e.text);
  if ((smallest || is_maximum(e.text)) && e.operands.size() == 2) {
    Quasi a = integer(e.operands[0], reads);
    Quasi b = integer(e.operands[1], reads);
    const Interval difference = tight_range(a - b, ranges_);
    if (difference.high <= 0) return smallest ? a : b;
    if (difference.low >= 0) return smallest ? b : a;
    fail(e.at, fmt::format("{} of values that vary is possible in the bounds of loops only", e.text));
  }
  if (e.text == "abs" && e.operands.size() == 1) {
    Quasi a = integer(e.operands[0], reads);
    const Interval r = tight_range(a, ranges_);
    if (r.low >= 0) return a;
    if (r.high <= 0) return a * -1;
  }
  fail(e.at, fmt::format("a call of {} cannot be an index", e.text));
}

Quasi Elaborator::integer_name(const Expression& e) {
  Symbol& s = symbol(e.text, e.at);
  if (const auto* c = std::get_if<ConstantName>(&s.is)) return Quasi(c->value);
  if (const auto* l = std::get_if<LoopName>(&s.is)) return Quasi::of_slot(l->slot);
  if (const auto* i = std::get_if<IndexName>(&s.is)) return i->value;
  if (const auto* v = std::get_if<VariableName>(&s.is)) {
    if (!v->has_value) fail(e.at, fmt::format("'{}' is used before it has a value", e.text));
    return v->known ? *v->known : Quasi::of_slot(v->slot);
  }
  if (std::holds_alternative<ArrayName>(s.is) || std::holds_alternative<TableName>(s.is)) {
    fail(e.at, fmt::format("'{}' is an array: expected an integer", e.text));
  }
  fail(e.at, fmt::format("'{}' is a real number: expected an integer", e.text));
}

/// An element of a constant table, or of an index array: a new slot that the read defines.
Quasi Elaborator::read_index(const Expression& e, Reads& reads) {
  Symbol& s = symbol(e.text, e.at);
  ArrayId id = 0;
  if (auto* table = std::get_if<TableName>(&s.is)) {
    if (is_float(table->type)) fail(e.at, fmt::format("'{}' holds real numbers: expected an integer", e.text));
    if (const auto position = flat_position(*table, e)) return Quasi((*table->integers)[*position]);
    id = materialise(*table, e.text, s.at);
  } else if (const auto* array = std::get_if<ArrayName>(&s.is)) {
    id = array->id;
  } else {
    fail(e.at, fmt::format("'{}' is not an array", e.text));
  }
  if (is_float(kernel_.arrays[id].type))
    fail(e.at, fmt::format("'{}' holds real numbers: expected an integer", e.text));
  if (!kernel_.arrays[id].data) {
    fail(e.at, fmt::format("the values of '{}' are needed here: supply them under 'data'", e.text));
  }
  Define read;
  read.table = id;
  read.at = unit_.position(e.at);
  read.subscripts = subscripts(id, e, reads);
  const auto [place, is_new] = contents_.try_emplace(id);
  if (is_new) {
    const auto [low, high] = std::ranges::minmax(*kernel_.arrays[id].data);
    place->second = {low, high};
  }
  read.slot = new_slot(e.text, place->second, e.at);
  reads.push_back(read);
  return Quasi::of_slot(read.slot);
}

ArrayId Elaborator::materialise(TableName& table, const std::string& name, Place at) {
  if (!table.array) {
    if (kernel_.arrays.size() >= most_slots) fail(at, "too many arrays");
    table.array = static_cast<ArrayId>(kernel_.arrays.size());
    Array array;
    array.name = name;
    array.type = table.type;
    array.extents = table.extents;
    array.padding.assign(table.extents.size(), 0);
    for (std::size_t d = 0; d < table.extents.size(); ++d) array.order.push_back(static_cast<std::uint8_t>(d));
    array.data = table.integers;
    array.at = unit_.position(at);
    kernel_.arrays.push_back(std::move(array));
  }
  return *table.array;
}

Slot Elaborator::new_slot(const std::string& name, Interval range, Place at) {
  if (kernel_.slots.size() >= most_slots) fail(at, fmt::format("more than {} loops and index reads", most_slots));
  kernel_.slots.push_back(name);
  ranges_.push_back(range);
  changes_.push_back(false);
  return static_cast<Slot>(kernel_.slots.size() - 1);
}

Int Elaborator::constant(const Expression& e, std::string_view what) {
  Reads reads;
  const Quasi q = integer(e, reads);
  if (!q.is_constant()) fail(e.at, fmt::format("{} must be a number or depend on parameters only", what));
  return q.constant;
}

/// The value of a condition that is the same in every iteration.
std::optional<bool> Elaborator::always(const Expression& e) {
  if (is_data(e)) return std::nullopt;
  Reads reads;
  const Dnf dnf = condition(e, false, reads);
  if (dnf.empty()) return false;
  if (std::ranges::any_of(dnf, [](const Conjunction& c) { return c.empty(); })) return true;
  return std::nullopt;
}

/// Whether the expression is index arithmetic: integers that need no data from memory.
bool Elaborator::is_index(const Expression& e) {
  switch (e.kind) {
    case Kind::integer:
      return true;
    case Kind::real:
      return false;
    case Kind::name: {
      const Symbol& s = symbol(e.text, e.at);
      return !std::holds_alternative<NumberName>(s.is) && !std::holds_alternative<ScalarName>(s.is);
    }
    case Kind::subscript: {
      const auto* table = std::get_if<TableName>(&symbol(e.text, e.at).is);
      return table && !is_float(table->type) && constant_value(e).has_value();
    }
    case Kind::call:
      if (!is_minimum(e.text) && !is_maximum(e.text) && e.text != "abs") return false;
      break;
    case Kind::cast:
      if (e.text == "double" || e.text == "float" || e.text == "_Float16") return false;
      break;
    case Kind::unary:
    case Kind::binary:
    case Kind::conditional:
      break;
  }
  return std::ranges::all_of(e.operands, [this](const Expression& operand) { return is_index(operand); });
}

}  // namespace mansard
