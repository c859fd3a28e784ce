// Expressions of isl's generated code as quasi-affine expressions over slots.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "schedule/affine/isl.hpp"
#include "workload/kernel.hpp"

namespace mansard {

using AstNames = std::map<std::string, Quasi>;  ///< isl's iterators c0, c1 …

std::string ast_name(const isl::ast_expr& expression);  ///< of an identifier
Int ast_number(const isl::ast_expr& expression);
Quasi ast_quasi(const isl::ast_expr& expression, const AstNames& names);
/// max(a, b, …) or min(a, b, …), or a single one.
std::vector<Quasi> ast_bounds(const isl::ast_expr& expression, const AstNames& names);
std::vector<Conjunction> ast_condition(const isl::ast_expr& expression, const AstNames& names);

}  // namespace mansard
