// Right-hand sides: expression trees over loads, scalars and numbers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "workload/elaborate/elaborator.hpp"

namespace mansard {
namespace {
using Kind = ast::Expression::Kind;
using ast::Operator;

struct Function {
  std::string_view name;
  Op op;
  std::size_t arguments;
};
constexpr std::array<Function, 51> functions{{{"sqrt", Op::square_root, 1},
                                              {"sqrtf", Op::square_root, 1},
                                              {"fabs", Op::absolute, 1},
                                              {"fabsf", Op::absolute, 1},
                                              {"abs", Op::absolute, 1},
                                              {"fma", Op::fused_multiply_add, 3},
                                              {"fmaf", Op::fused_multiply_add, 3},
                                              {"min", Op::minimum, 2},
                                              {"fmin", Op::minimum, 2},
                                              {"fminf", Op::minimum, 2},
                                              {"MIN", Op::minimum, 2},
                                              {"max", Op::maximum, 2},
                                              {"fmax", Op::maximum, 2},
                                              {"fmaxf", Op::maximum, 2},
                                              {"MAX", Op::maximum, 2},
                                              {"exp", Op::call, 1},
                                              {"expf", Op::call, 1},
                                              {"exp2", Op::call, 1},
                                              {"expm1", Op::call, 1},
                                              {"log", Op::call, 1},
                                              {"logf", Op::call, 1},
                                              {"log2", Op::call, 1},
                                              {"log10", Op::call, 1},
                                              {"log1p", Op::call, 1},
                                              {"pow", Op::call, 2},
                                              {"powf", Op::call, 2},
                                              {"sin", Op::call, 1},
                                              {"sinf", Op::call, 1},
                                              {"cos", Op::call, 1},
                                              {"cosf", Op::call, 1},
                                              {"tan", Op::call, 1},
                                              {"asin", Op::call, 1},
                                              {"acos", Op::call, 1},
                                              {"atan", Op::call, 1},
                                              {"atan2", Op::call, 2},
                                              {"sinh", Op::call, 1},
                                              {"cosh", Op::call, 1},
                                              {"tanh", Op::call, 1},
                                              {"tanhf", Op::call, 1},
                                              {"cbrt", Op::call, 1},
                                              {"hypot", Op::call, 2},
                                              {"erf", Op::call, 1},
                                              {"erfc", Op::call, 1},
                                              {"tgamma", Op::call, 1},
                                              {"lgamma", Op::call, 1},
                                              {"floor", Op::call, 1},
                                              {"ceil", Op::call, 1},
                                              {"round", Op::call, 1},
                                              {"trunc", Op::call, 1},
                                              {"fmod", Op::call, 2},
                                              {"copysign", Op::call, 2}}};

Value number(double x) {
  Value v;
  v.number = x;
  return v;
}
Value operation(Op op, std::vector<Value> operands) {
  Value v;
  v.op = op;
  v.operands = std::move(operands);
  return v;
}
Value binary(Op op, Value left, Value right) {
  std::vector<Value> operands;
  operands.push_back(std::move(left));
  operands.push_back(std::move(right));
  return operation(op, std::move(operands));
}
/// Only the type that arithmetic is done in matters, and that only where C is printed.
Value cast(Value v, const std::string& type) {
  if (v.op == Op::number) v.name.clear();
  if (v.op != Op::number && v.op != Op::call && v.op != Op::compare) v.name = type;
  return v;
}

bool is_number(const Value& v, double x) { return v.op == Op::number && v.number == x; }

Value negated(Value v) {
  if (v.op == Op::number) return number(-v.number);
  std::vector<Value> operands;
  operands.push_back(std::move(v));
  return operation(Op::negate, std::move(operands));
}

double apply(Op op, double a, double b) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    default:
      return a / b;
  }
}

/// What every compiler folds: operations on numbers, x + 0, x * 1, x * -1.
Value arithmetic(Op op, Value a, Value b) {
  if (a.op == Op::number && b.op == Op::number && std::isfinite(apply(op, a.number, b.number))) {
    return number(apply(op, a.number, b.number));
  }
  const bool sum = op == Op::add || op == Op::subtract;
  if (sum && is_number(b, 0)) return a;
  if (sum && is_number(a, 0)) return op == Op::add ? b : negated(std::move(b));
  if ((op == Op::multiply || op == Op::divide) && is_number(b, 1)) return a;
  if (op == Op::multiply && is_number(a, 1)) return b;
  if (op == Op::multiply && is_number(a, -1)) return negated(std::move(b));
  if (op == Op::multiply && is_number(b, -1)) return negated(std::move(a));
  return binary(op, std::move(a), std::move(b));
}

}  // namespace

Value Elaborator::value(const Expression& e) {
  count_node(e.at);
  if (e.kind == Kind::real) return number(e.real);
  if (is_index(e)) {
    Reads none;
    const Quasi q = integer(e, none);
    if (q.is_constant()) {
      Value literal = number(static_cast<double>(q.constant));
      literal.name = "int";
      return literal;
    }
    Value v;
    v.op = Op::integer;
    v.index = q;
    return v;
  }
  switch (e.kind) {
    case Kind::name:
      return value_name(e);
    case Kind::subscript:
      return value_element(e);
    case Kind::call:
      return value_call(e);
    case Kind::cast:
      return cast(value(e.operands[0]), e.text);
    case Kind::binary:
      return value_binary(e);
    case Kind::unary:
      if (e.op == Operator::negate) return negated(value(e.operands[0]));
      break;
    case Kind::conditional: {
      if (const auto known = always(e.operands[0])) return value(e.operands[*known ? 1 : 2]);
      if (!is_data(e.operands[0])) {
        fail(e.at, "a choice by '?' inside an expression must be over data",
             "use if and else, or make it the whole right-hand side");
      }
      Value v = binary(Op::select, value(e.operands[0]), value(e.operands[1]));
      v.operands.push_back(value(e.operands[2]));
      return v;
    }
    default:
      break;
  }
  Value v = operation(Op::compare, {});  // a truth value
  v.name = spelling(e.op);
  for (const Expression& operand : e.operands) v.operands.push_back(value(operand));
  return v;
}

Value Elaborator::value_name(const Expression& e) {
  const Symbol& s = symbol(e.text, e.at);
  if (const auto* n = std::get_if<NumberName>(&s.is)) return number(n->value);
  if (const auto* scalar = std::get_if<ScalarName>(&s.is)) {
    Value v;
    v.op = Op::scalar;
    v.scalar = scalar->id;
    return v;
  }
  fail(e.at, fmt::format("'{}' is an array: expected a value", e.text));
}

Value Elaborator::value_element(const Expression& e) {
  Symbol& s = symbol(e.text, e.at);
  ArrayId id = 0;
  if (auto* table = std::get_if<TableName>(&s.is)) {
    if (const auto position = flat_position(*table, e)) {
      return number(is_float(table->type) ? table->reals[*position] : (*table->integers)[*position]);
    }
    id = materialise(*table, e.text, s.at);
  } else if (const auto* array = std::get_if<ArrayName>(&s.is)) {
    id = array->id;
  } else {
    fail(e.at, fmt::format("'{}' is not an array", e.text));
  }
  Value v;
  v.op = Op::load;
  v.access = access(id, e);
  return v;
}

Value Elaborator::value_call(const Expression& e) {
  const auto* f = std::ranges::find(functions, e.text, &Function::name);
  if (f == functions.end()) {
    std::vector<std::string> names;
    for (const Function& known : functions) names.emplace_back(known.name);
    fail(e.at, fmt::format("unknown function '{}'", e.text), suggest(e.text, names));
  }
  if (e.operands.size() != f->arguments) {
    fail(e.at, fmt::format("{} has {} arguments: expected {}", e.text, e.operands.size(), f->arguments));
  }
  Value v = operation(f->op, {});
  if (f->op == Op::call) v.name = e.text;
  for (const Expression& operand : e.operands) v.operands.push_back(value(operand));
  return v;
}

Value Elaborator::value_binary(const Expression& e) {
  Value left = value(e.operands[0]);
  Value right = value(e.operands[1]);
  switch (e.op) {
    case Operator::add:
      return arithmetic(Op::add, std::move(left), std::move(right));
    case Operator::subtract:
      return arithmetic(Op::subtract, std::move(left), std::move(right));
    case Operator::divide:
      return arithmetic(Op::divide, std::move(left), std::move(right));
    case Operator::multiply: {
      // An integer factor 0 is a direction of a lattice (cx[q]) in an unrolled loop: nobody writes that product by
      // hand.
      const bool vanishes =
          (is_number(left, 0) && is_index(e.operands[0])) || (is_number(right, 0) && is_index(e.operands[1]));
      return vanishes ? number(0) : arithmetic(Op::multiply, std::move(left), std::move(right));
    }
    case Operator::modulo:
      fail(e.at, "'%' of real numbers is not C: use fmod");
    default: {
      Value v = binary(Op::compare, std::move(left), std::move(right));
      v.name = spelling(e.op);
      return v;
    }
  }
}

Access Elaborator::access(ArrayId array, const Expression& e) {
  Access a;
  a.array = array;
  a.at = unit_.position(e.at);
  a.subscripts = subscripts(array, e, a.indices);
  return a;
}

std::vector<Quasi> Elaborator::subscripts(ArrayId array, const Expression& e, Reads& reads) {
  const std::size_t expected = kernel_.arrays[array].extents.size();
  if (e.operands.size() != expected) {
    fail(e.at, fmt::format("'{}' has {} subscripts: expected {}", e.text, e.operands.size(), expected));
  }
  std::vector<Quasi> list;
  for (const Expression& subscript : e.operands) list.push_back(integer(subscript, reads));
  return list;
}

}  // namespace mansard
