// What the text says before any name is resolved: which names it leaves open, which variables it changes, and the
// labels of its statements.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "workload/elaborate/integer_scalars.hpp"
#include "workload/language/ast.hpp"

namespace mansard {

struct Facts {
  IntegerScalars integers;
  std::set<std::string> declared;      ///< anywhere, loop variables and #define constants included
  std::set<std::string> assigned;      ///< scalars and arrays that a statement writes
  std::map<std::string, Place> open;   ///< used, but declared nowhere: parameters (or mistakes), with the first use
  std::map<std::string, Place> sizes;  ///< those of `open` used in an extent or in the header of a loop
  /// "S1", "S2", … of ast::Assignment and of ast::Declarator with an initial value inside a loop. In text order,
  /// whether or not a statement is unrolled or never runs. Assignments to integer scalars that carry an index are index
  /// arithmetic: no label.
  std::unordered_map<const void*, std::string> labels;
};

Facts facts_of(const ast::Unit& unit);

/// Names of the scalars and arrays that these statements write, loops and branches inside them included.
std::set<std::string> assigned_in(const std::vector<ast::Statement>& body);

}  // namespace mansard
