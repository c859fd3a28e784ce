// Which integer scalars are data, as floating-point ones are, and which carry an index.
#pragma once

#include <set>
#include <string>

#include "workload/language/ast.hpp"

namespace mansard {

struct IntegerScalars {
  /// Given an array's element, and no subscript, loop, extent or condition needs them, nor another integer scalar that
  /// one of these needs: their values do not matter, `t` in `t = a[i]; a[i] = a[j]; a[j] = t`.
  std::set<std::string> data;
  std::set<std::string> index;  ///< all others; names that are also declared as something else are in neither
};

IntegerScalars integer_scalars(const ast::Unit& unit);

}  // namespace mansard
