// Walks over the syntax tree.
#pragma once

#include <variant>
#include <vector>

#include "workload/language/ast.hpp"

namespace mansard {

/// Calls visitor(statement) for every statement, outer ones first.
template <class Visitor>
void visit(const std::vector<ast::Statement>& body, Visitor&& visitor) {
  for (const ast::Statement& s : body) {
    visitor(s);
    if (const auto* block = std::get_if<ast::Block>(&s.is)) visit(block->body, visitor);
    if (const auto* loop = std::get_if<ast::For>(&s.is)) visit(loop->body, visitor);
    if (const auto* branch = std::get_if<ast::If>(&s.is)) {
      visit(branch->then, visitor);
      visit(branch->otherwise, visitor);
    }
  }
}

}  // namespace mansard
