#include "schedule/affine/ast_expression.hpp"

namespace mansard {
namespace {

[[noreturn]] void unknown(const isl::ast_expr& expression) {
  throw InputError(Position{},
                   "the generated loops hold an expression that is not quasi-affine: " + expression.to_C_str());
}

}  // namespace

std::string ast_name(const isl::ast_expr& expression) { return expression.as<isl::ast_expr_id>().id().name(); }

Int ast_number(const isl::ast_expr& expression) {
  return isl_val_get_num_si(expression.as<isl::ast_expr_int>().val().get());
}

Quasi ast_quasi(const isl::ast_expr& expression, const AstNames& names) {
  if (expression.isa<isl::ast_expr_int>()) return Quasi(ast_number(expression));
  if (expression.isa<isl::ast_expr_id>()) return names.at(ast_name(expression));
  const auto op = expression.as<isl::ast_expr_op>();
  const auto arg = [&](int i) { return ast_quasi(op.arg(i), names); };
  if (op.isa<isl::ast_expr_op_minus>()) return arg(0) * -1;
  if (op.isa<isl::ast_expr_op_add>()) return arg(0) + arg(1);
  if (op.isa<isl::ast_expr_op_sub>()) return arg(0) - arg(1);
  if (op.isa<isl::ast_expr_op_mul>()) {
    const Quasi left = arg(0);
    const Quasi right = arg(1);
    if (left.is_constant()) return right * left.constant;
    if (right.is_constant()) return left * right.constant;
    unknown(expression);
  }
  // isl promises that the division is exact, or the numerator not negative, where it is not a floor.
  if (op.isa<isl::ast_expr_op_div>() || op.isa<isl::ast_expr_op_fdiv_q>() || op.isa<isl::ast_expr_op_pdiv_q>())
    return floor_div(arg(0), ast_number(op.arg(1)));
  if (op.isa<isl::ast_expr_op_pdiv_r>() || op.isa<isl::ast_expr_op_zdiv_r>())
    return modulo(arg(0), ast_number(op.arg(1)));
  unknown(expression);
}

std::vector<Quasi> ast_bounds(const isl::ast_expr& expression, const AstNames& names) {
  if (!expression.isa<isl::ast_expr_op>()) return {ast_quasi(expression, names)};
  const auto op = expression.as<isl::ast_expr_op>();
  if (!op.isa<isl::ast_expr_op_max>() && !op.isa<isl::ast_expr_op_min>()) return {ast_quasi(expression, names)};
  std::vector<Quasi> result;
  for (unsigned i = 0; i < op.n_arg(); ++i) {
    for (Quasi& q : ast_bounds(op.arg(static_cast<int>(i)), names)) result.push_back(std::move(q));
  }
  return result;
}

std::vector<Conjunction> ast_condition(const isl::ast_expr& expression, const AstNames& names) {
  if (expression.isa<isl::ast_expr_int>())
    return ast_number(expression) != 0 ? std::vector<Conjunction>{{}} : std::vector<Conjunction>{{Quasi(-1)}};
  const auto op = expression.as<isl::ast_expr_op>();
  const auto sides = [&] { return std::pair{ast_condition(op.arg(0), names), ast_condition(op.arg(1), names)}; };
  if (op.isa<isl::ast_expr_op_or>() || op.isa<isl::ast_expr_op_or_else>()) {
    auto [left, right] = sides();
    left.insert(left.end(), right.begin(), right.end());
    return left;
  }
  if (op.isa<isl::ast_expr_op_and>() || op.isa<isl::ast_expr_op_and_then>()) {
    const auto [left, right] = sides();
    std::vector<Conjunction> result;
    for (const Conjunction& a : left) {
      for (const Conjunction& b : right) {
        result.push_back(a);
        result.back().insert(result.back().end(), b.begin(), b.end());
      }
    }
    return result;
  }
  const Quasi difference = ast_quasi(op.arg(0), names) - ast_quasi(op.arg(1), names);
  if (op.isa<isl::ast_expr_op_eq>()) return {{difference, difference * -1}};
  if (op.isa<isl::ast_expr_op_ge>()) return {{difference}};
  if (op.isa<isl::ast_expr_op_gt>()) return {{difference + Quasi(-1)}};
  if (op.isa<isl::ast_expr_op_le>()) return {{difference * -1}};
  if (op.isa<isl::ast_expr_op_lt>()) return {{difference * -1 + Quasi(-1)}};
  unknown(expression);
}

}  // namespace mansard
