// Which integer scalars are data, as floating-point ones are, and which carry an index.
#pragma once

#include <set>
#include <string>

#include "workload/language/ast.hpp"

namespace mansard {

/// Integer scalars that are given an array's element and that no subscript, loop, extent or condition needs, nor
/// another integer scalar that one of these needs: their values do not matter, `t` in `t = a[i]; a[i] = a[j]; a[j] =
/// t`.
std::set<std::string> data_integers(const ast::Unit& unit);

}  // namespace mansard
