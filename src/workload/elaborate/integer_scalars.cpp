#include "workload/elaborate/integer_scalars.hpp"

#include <map>

#include "workload/elaborate/visit_ast.hpp"

namespace mansard {
namespace {

using ast::Expression;
using Kind = Expression::Kind;

class Search {
 public:
  explicit Search(const ast::Unit& unit) {
    for (const ast::Constant& c : unit.constants) need(c.value);
    visit(unit.body, [this](const ast::Statement& s) { find_scalars(s); });
    visit(unit.body, [this](const ast::Statement& s) { find_uses(s); });
    for (const std::string& name : needed_) spread(name);
  }

  [[nodiscard]] IntegerScalars found() const {
    IntegerScalars found;
    for (const std::string& name : integers_) {
      if (others_.contains(name)) continue;
      (elements_.contains(name) && !reached_.contains(name) ? found.data : found.index).insert(name);
    }
    return found;
  }

 private:
  void find_scalars(const ast::Statement& s) {
    const auto* d = std::get_if<ast::Declaration>(&s.is);
    if (!d) return;
    for (const ast::Declarator& one : d->declarators) {
      const bool integer = one.extents.empty() && !is_float(d->type.element);
      (integer ? integers_ : others_).insert(one.name);
    }
  }

  void find_uses(const ast::Statement& s) {
    if (const auto* d = std::get_if<ast::Declaration>(&s.is)) {
      for (const ast::Declarator& one : d->declarators) {
        for (const Expression& extent : one.extents) need(extent);
        if (one.initial && one.initial->value) give(one.name, *one.initial->value);
      }
    }
    if (const auto* a = std::get_if<ast::Assignment>(&s.is)) {
      for (const Expression& subscript : a->target.operands) need(subscript);
      give(a->target.text, a->value);
    }
    if (const auto* loop = std::get_if<ast::For>(&s.is)) need(loop->start), need(loop->condition), need(loop->step);
    if (const auto* branch = std::get_if<ast::If>(&s.is)) need(branch->condition);
  }

  /// All names in an expression whose value must be known.
  void need(const Expression& e) {
    needed_.insert(e.text);
    for (const Expression& operand : e.operands) need(operand);
  }

  void give(const std::string& name, const Expression& value) {
    if (value.kind == Kind::subscript) {
      elements_.insert(name);
      for (const Expression& subscript : value.operands) need(subscript);
      return;
    }
    if (value.kind == Kind::name && integers_.contains(name)) from_[name].insert(value.text);
    for (const Expression& operand : value.operands) give(name, operand);
  }

  void spread(const std::string& name) {
    if (!reached_.insert(name).second) return;
    for (const std::string& source : from_[name]) spread(source);
  }

  std::set<std::string> integers_, others_;  ///< scalars, and all other names that are declared
  std::set<std::string> elements_;           ///< names that are given an element
  std::set<std::string> needed_, reached_;   ///< names whose values matter, by themselves and with what they come from
  std::map<std::string, std::set<std::string>> from_;
};

}  // namespace

IntegerScalars integer_scalars(const ast::Unit& unit) { return Search(unit).found(); }

}  // namespace mansard
