#include "workload/elaborate/facts.hpp"

#include "workload/elaborate/visit_ast.hpp"

namespace mansard {
namespace {

using ast::Expression;
using Kind = Expression::Kind;

class Collector {
 public:
  explicit Collector(const ast::Unit& unit) {
    facts_.integers = integer_scalars(unit);
    for (const ast::Constant& c : unit.constants) facts_.declared.insert(c.name);
    visit(unit.body, [this](const ast::Statement& s) { declare(s); });
    for (const ast::Constant& c : unit.constants) use(c.value, true);
    statements(unit.body, false);
  }
  Facts take() { return std::move(facts_); }

 private:
  void declare(const ast::Statement& s) {
    if (const auto* d = std::get_if<ast::Declaration>(&s.is)) {
      for (const ast::Declarator& one : d->declarators) facts_.declared.insert(one.name);
    }
    if (const auto* loop = std::get_if<ast::For>(&s.is)) facts_.declared.insert(loop->variable);
    if (const auto* a = std::get_if<ast::Assignment>(&s.is)) facts_.assigned.insert(a->target.text);
  }

  void statements(const std::vector<ast::Statement>& body, bool in_loop) {
    for (const ast::Statement& s : body) {
      if (const auto* d = std::get_if<ast::Declaration>(&s.is)) declaration(*d, in_loop);
      if (const auto* a = std::get_if<ast::Assignment>(&s.is)) {
        const std::string& name = a->target.text;
        const bool index = a->target.kind == Kind::name && facts_.integers.index.contains(name);
        if (!index) label(a);
        use(a->target, false);
        use(a->value, index);
      }
      if (const auto* block = std::get_if<ast::Block>(&s.is)) statements(block->body, in_loop);
      if (const auto* loop = std::get_if<ast::For>(&s.is)) {
        use(loop->start, true), use(loop->condition, true), use(loop->step, true);
        statements(loop->body, true);
      }
      if (const auto* branch = std::get_if<ast::If>(&s.is)) {
        use(branch->condition, false);
        statements(branch->then, in_loop);
        statements(branch->otherwise, in_loop);
      }
    }
  }

  void declaration(const ast::Declaration& d, bool in_loop) {
    for (const ast::Declarator& one : d.declarators) {
      for (const Expression& extent : one.extents) use(extent, true);
      if (!one.initial || !one.initial->value) continue;
      const Expression& value = *one.initial->value;
      const bool real = one.extents.empty() && (is_float(d.type.element) || facts_.integers.data.contains(one.name));
      if (real && (in_loop || reads_element(value))) label(&one);
      use(value, !real);
    }
  }

  static bool reads_element(const Expression& e) {
    if (e.kind == Kind::subscript) return true;
    for (const Expression& operand : e.operands) {
      if (reads_element(operand)) return true;
    }
    return false;
  }

  void label(const void* statement) { facts_.labels[statement] = "S" + std::to_string(facts_.labels.size() + 1); }

  void use(const Expression& e, bool is_size) {
    const bool open = (e.kind == Kind::name || e.kind == Kind::subscript) && !facts_.declared.contains(e.text);
    if (open) facts_.open.emplace(e.text, e.at);
    if (open && is_size && e.kind == Kind::name) facts_.sizes.emplace(e.text, e.at);
    for (const Expression& operand : e.operands) use(operand, is_size);
  }

  Facts facts_;
};

}  // namespace

Facts facts_of(const ast::Unit& unit) { return Collector(unit).take(); }

std::set<std::string> assigned_in(const std::vector<ast::Statement>& body) {
  std::set<std::string> names;
  visit(body, [&names](const ast::Statement& s) {
    if (const auto* a = std::get_if<ast::Assignment>(&s.is)) names.insert(a->target.text);
  });
  return names;
}

}  // namespace mansard
