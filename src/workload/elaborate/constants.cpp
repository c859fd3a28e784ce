// Constant folding of integers: each part is looked at once and nothing is reported, so that it can be asked anywhere.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "workload/elaborate/elaborator.hpp"

namespace mansard {
namespace {
using Kind = ast::Expression::Kind;
using ast::Operator;

std::optional<Int> apply(Operator op, Int a, Int b) {
  Int result = 0;
  switch (op) {
    case Operator::add:
      return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Operator::subtract:
      return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Operator::multiply:
      return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Operator::divide:
    case Operator::modulo:
      if (b == 0 || (b == -1 && a == std::numeric_limits<Int>::min())) return std::nullopt;
      return op == Operator::divide ? a / b : a % b;
    case Operator::less:
      return a < b ? 1 : 0;
    case Operator::less_equal:
      return a <= b ? 1 : 0;
    case Operator::greater:
      return a > b ? 1 : 0;
    case Operator::greater_equal:
      return a >= b ? 1 : 0;
    case Operator::equal:
      return a == b ? 1 : 0;
    case Operator::not_equal:
      return a != b ? 1 : 0;
    case Operator::logical_and:
      return a != 0 && b != 0 ? 1 : 0;
    case Operator::logical_or:
      return a != 0 || b != 0 ? 1 : 0;
    default:
      return std::nullopt;
  }
}

}  // namespace

/// The value where it is the same in every iteration and needs no data from memory.
std::optional<Int> Elaborator::constant_value(const Expression& e) {
  if (e.kind == Kind::integer) return e.integer;
  if (e.kind == Kind::real) return std::nullopt;
  if (e.kind != Kind::name && e.kind != Kind::subscript) return constant_operation(e);
  const Symbol* s = scope_.find(e.text);
  if (!s) return std::nullopt;
  if (e.kind == Kind::subscript) {
    const auto* table = std::get_if<TableName>(&s->is);
    if (!table || is_float(table->type)) return std::nullopt;
    const auto position = flat_position(*table, e);
    return position ? std::optional<Int>((*table->integers)[*position]) : std::nullopt;
  }
  if (const auto* c = std::get_if<ConstantName>(&s->is)) return c->value;
  const Quasi* q = nullptr;
  if (const auto* i = std::get_if<IndexName>(&s->is)) q = &i->value;
  if (const auto* v = std::get_if<VariableName>(&s->is); v && v->known) q = &*v->known;
  return q && q->is_constant() ? std::optional(q->constant) : std::nullopt;
}

std::optional<Int> Elaborator::constant_operation(const Expression& e) {
  if (e.kind == Kind::cast && (e.text == "double" || e.text == "float" || e.text == "_Float16")) return std::nullopt;
  if (e.operands.empty() || e.operands.size() > 3) return std::nullopt;
  std::array<Int, 3> v{};
  for (std::size_t i = 0; i < e.operands.size(); ++i) {
    const auto operand = constant_value(e.operands[i]);
    if (!operand) return std::nullopt;
    v[i] = *operand;
  }
  if (e.kind == Kind::binary) return apply(e.op, v[0], v[1]);
  if (e.kind == Kind::unary)
    return e.op == Operator::negate ? apply(Operator::subtract, 0, v[0]) : std::optional<Int>(v[0] == 0);
  if (e.kind == Kind::cast) return v[0];
  if (e.kind == Kind::conditional) return v[0] != 0 ? v[1] : v[2];
  const bool two = e.operands.size() == 2;
  if (two && (e.text == "min" || e.text == "MIN")) return std::min(v[0], v[1]);
  if (two && (e.text == "max" || e.text == "MAX")) return std::max(v[0], v[1]);
  if (e.text == "abs" && v[0] != std::numeric_limits<Int>::min()) return v[0] < 0 ? -v[0] : v[0];
  return std::nullopt;
}

/// Where the subscripts are constants: the position in the table. A constant outside the table is a mistake.
std::optional<std::size_t> Elaborator::flat_position(const TableName& table, const Expression& e) {
  if (e.operands.size() != table.extents.size()) {
    fail(e.at, fmt::format("'{}' has {} subscripts: expected {}", e.text, e.operands.size(), table.extents.size()));
  }
  std::size_t flat = 0;
  for (std::size_t d = 0; d < e.operands.size(); ++d) {
    const auto subscript = constant_value(e.operands[d]);
    if (!subscript) return std::nullopt;
    if (*subscript < 0 || *subscript >= table.extents[d]) {
      fail(e.operands[d].at, fmt::format("subscript {} of '{}' is {}: expected 0 to {}", d + 1, e.text, *subscript,
                                         table.extents[d] - 1));
    }
    flat = flat * static_cast<std::size_t>(table.extents[d]) + static_cast<std::size_t>(*subscript);
  }
  return flat;
}

}  // namespace mansard
