#include "workload/kernel.hpp"

namespace mansard {

std::uint32_t bytes_of(ElementType type) {
  switch (type) {
    case ElementType::f64:
    case ElementType::i64:
      return 8;
    case ElementType::f32:
    case ElementType::i32:
      return 4;
    case ElementType::f16:
    case ElementType::i16:
      return 2;
    case ElementType::i8:
      return 1;
  }
  __builtin_unreachable();
}

const char* c_name(ElementType type) {
  switch (type) {
    case ElementType::f64:
      return "double";
    case ElementType::f32:
      return "float";
    case ElementType::f16:
      return "_Float16";
    case ElementType::i64:
      return "long";
    case ElementType::i32:
      return "int";
    case ElementType::i16:
      return "short";
    case ElementType::i8:
      return "signed char";
  }
  __builtin_unreachable();
}

bool is_float(ElementType type) {
  return type == ElementType::f64 || type == ElementType::f32 || type == ElementType::f16;
}

std::vector<Int> strides(const Array& array) {
  std::vector<Int> result(array.extents.size(), 1);
  Int elements = 1;
  for (std::size_t place = array.extents.size(); place-- > 0;) {
    const std::size_t dimension = array.order.empty() ? place : array.order[place];
    result[dimension] = elements;
    elements *= array.extents[dimension] + (array.padding.empty() ? 0 : array.padding[dimension]);
  }
  return result;
}

Int allocated_elements(const Array& array) {
  Int elements = 1;
  for (std::size_t d = 0; d < array.extents.size(); ++d) {
    elements *= array.extents[d] + (array.padding.empty() ? 0 : array.padding[d]);
  }
  return elements;
}

FlopCount& FlopCount::operator+=(const FlopCount& o) {
  add += o.add, mul += o.mul, fma += o.fma, div += o.div, sqrt += o.sqrt, call += o.call;
  return *this;
}

FlopCount operation_of(Op op) {
  FlopCount f;
  switch (op) {
    case Op::add:
    case Op::subtract:
      f.add = 1;
      break;
    case Op::multiply:
      f.mul = 1;
      break;
    case Op::fused_multiply_add:
      f.fma = 1;
      break;
    case Op::divide:
      f.div = 1;
      break;
    case Op::square_root:
      f.sqrt = 1;
      break;
    case Op::call:
      f.call = 1;
      break;
    default:
      break;
  }
  return f;
}

Op operator_of(Assign assign) {
  switch (assign) {
    case Assign::set:
      return Op::number;
    case Assign::add:
      return Op::add;
    case Assign::subtract:
      return Op::subtract;
    case Assign::multiply:
      return Op::multiply;
    case Assign::divide:
      return Op::divide;
  }
  __builtin_unreachable();
}

namespace {

/// Operators over index expressions alone are integer work (the elaboration folds most of them into one Op::integer).
bool is_integer(const Value& value) {
  if (value.op == Op::integer) return true;
  if (value.op == Op::number || value.op == Op::scalar || value.op == Op::load || value.operands.empty()) return false;
  for (const Value& operand : value.operands) {
    if (!is_integer(operand)) return false;
  }
  return true;
}

/// Turns one product below a sum into an fma; at most one of the two operands of an addition can be absorbed.
void absorb(FlopCount& count, Op op, const Value* left, const Value* right) {
  if (op != Op::add && op != Op::subtract) return;
  const auto is_product = [](const Value* v) { return v != nullptr && v->op == Op::multiply && !is_integer(*v); };
  if (is_product(left) || is_product(right)) --count.add, --count.mul, ++count.fma;
}

FlopCount contract(const Value& value) {
  if (is_integer(value)) return {};
  FlopCount count = operation_of(value.op);
  for (const Value& operand : value.operands) count += contract(operand);
  if (value.operands.size() == 2) absorb(count, value.op, value.operands.data(), &value.operands[1]);
  return count;
}

}  // namespace

FlopCount count_flops(const Value& value) {
  if (is_integer(value)) return {};
  FlopCount count = operation_of(value.op);
  for (const Value& operand : value.operands) count += count_flops(operand);
  return count;
}

FlopCount count_flops(const Statement& statement) {
  FlopCount count = operation_of(operator_of(statement.assign));
  count += count_flops(statement.value);
  return count;
}

FlopCount contract_flops(const Statement& statement) {
  const Op op = operator_of(statement.assign);
  FlopCount count = operation_of(op);
  count += contract(statement.value);
  absorb(count, op, nullptr, &statement.value);
  return count;
}

std::pair<std::string, std::string> split_loop_name(const std::string& name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return {"", name};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

bool contains_statement(const std::vector<Node>& nodes, const std::string& label) {
  bool found = false;
  visit_nodes(nodes, [&](const Node& node) {
    const auto* s = std::get_if<Statement>(&node.is);
    found = found || (s != nullptr && s->label == label);
  });
  return found;
}

}  // namespace mansard
