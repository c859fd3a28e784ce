#include "workload/language/ast.hpp"

namespace mansard::ast {

const char* spelling(Operator op) {
  switch (op) {
    case Operator::none:
      return "";
    case Operator::add:
      return "+";
    case Operator::subtract:
      return "-";
    case Operator::multiply:
      return "*";
    case Operator::divide:
      return "/";
    case Operator::modulo:
      return "%";
    case Operator::less:
      return "<";
    case Operator::less_equal:
      return "<=";
    case Operator::greater:
      return ">";
    case Operator::greater_equal:
      return ">=";
    case Operator::equal:
      return "==";
    case Operator::not_equal:
      return "!=";
    case Operator::logical_and:
      return "&&";
    case Operator::logical_or:
      return "||";
    case Operator::logical_not:
      return "!";
    case Operator::negate:
      return "-";
  }
  return "";
}

}  // namespace mansard::ast
