// Syntax tree and values of the parameters to the loop-tree IR.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "workload/kernel.hpp"
#include "workload/language/ast.hpp"

namespace mansard {

using Parameters = std::vector<std::pair<std::string, Int>>;

/// What the text of a loop nest leaves open.
struct Bindings {
  Parameters parameters;
  std::map<std::string, IndexData> tables;  ///< contents of the integer arrays so named
  std::optional<std::string> update;        ///< the loop whose iterations are the updates
  Position update_at;
};

/// InputError with every mistake found: undeclared names, parameters without a value (all in one), subscripts that are
/// not quasi-affine, leave their array or need data that are missing, …
Kernel elaborate(const ast::Unit& unit, const Bindings& bindings);

/// An integer expression of parameters, "2*N+1". InputError if it is none, names something else or overflows.
Int evaluate(const SourceText& expression, const Parameters& parameters);

/// More than this in all arrays together is refused, before anything is allocated.
inline constexpr Int largest_data = Int{1} << 47;

}  // namespace mansard
