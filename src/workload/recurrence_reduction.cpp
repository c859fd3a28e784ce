#include "workload/recurrence_reduction.hpp"

#include <algorithm>

namespace mansard {
namespace {

using Test = std::function<bool(const Value&)>;

/// The accumulation that `value` applies to its operand number `operand`; subtracting *from* the target is a sum.
std::optional<Reduction> step_through(const Value& value, std::size_t operand) {
  switch (value.op) {
    case Op::add:
      return Reduction::sum;
    case Op::subtract:
      return operand == 0 ? std::optional(Reduction::sum) : std::nullopt;
    case Op::multiply:
      return Reduction::product;
    case Op::fused_multiply_add:
      return operand == 2 ? std::optional(Reduction::sum) : std::nullopt;
    case Op::minimum:
      return Reduction::minimum;
    case Op::maximum:
      return Reduction::maximum;
    default:
      return std::nullopt;
  }
}

/// Walks from the root to the one occurrence of the target; every operator on the way must be of the same kind.
std::optional<Reduction> along_spine(const Value& root, const Test& is_target) {
  std::optional<Reduction> kind;
  const Value* value = &root;
  while (!is_target(*value)) {
    const auto holds = [&](const Value& operand) { return occurrences(operand, is_target) > 0; };
    const auto next = std::find_if(value->operands.begin(), value->operands.end(), holds);
    if (next == value->operands.end()) return std::nullopt;
    const auto step = step_through(*value, static_cast<std::size_t>(next - value->operands.begin()));
    if (!step || (kind && *kind != *step)) return std::nullopt;
    kind = step;
    value = &*next;
  }
  return kind;
}

}  // namespace

std::size_t occurrences(const Value& value, const Test& is_it) {
  std::size_t count = is_it(value) ? 1 : 0;
  for (const Value& operand : value.operands) count += occurrences(operand, is_it);
  return count;
}

std::optional<Reduction> reduction_of(const Statement& statement, const Test& is_target) {
  const std::size_t uses = occurrences(statement.value, is_target);
  switch (statement.assign) {
    case Assign::set:
      return uses == 1 ? along_spine(statement.value, is_target) : std::nullopt;
    case Assign::add:
    case Assign::subtract:
      return uses == 0 ? std::optional(Reduction::sum) : std::nullopt;
    case Assign::multiply:
      return uses == 0 ? std::optional(Reduction::product) : std::nullopt;
    case Assign::divide:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace mansard
