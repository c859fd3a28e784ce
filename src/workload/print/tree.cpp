#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "workload/print.hpp"
#include "workload/print/printer.hpp"

namespace mansard {
namespace {

const char* sign(Assign assign) {
  switch (assign) {
    case Assign::set:
      return "=";
    case Assign::add:
      return "+=";
    case Assign::subtract:
      return "-=";
    case Assign::multiply:
      return "*=";
    case Assign::divide:
      return "/=";
  }
  return "=";
}

void count(const Value& v, std::map<ScalarId, std::size_t>& uses) {
  if (v.op == Op::scalar) ++uses[v.scalar];
  for (const Value& operand : v.operands) count(operand, uses);
}

/// How often each scalar is read or written.
std::map<ScalarId, std::size_t> scalar_uses(const std::vector<Node>& nodes) {
  std::map<ScalarId, std::size_t> uses;
  visit_nodes(nodes, [&](const Node& node) {
    if (const auto* guard = std::get_if<Guard>(&node.is)) {
      for (const Value& v : guard->data) count(v, uses);
    }
    const auto* s = std::get_if<Statement>(&node.is);
    if (s == nullptr) return;
    count(s->value, uses);
    if (const auto* id = std::get_if<ScalarId>(&s->target)) ++uses[*id];
  });
  return uses;
}

class TreePrinter {
 public:
  explicit TreePrinter(const Kernel& kernel, bool full = false) : kernel_(kernel), full_(full), print_(kernel, full) {
    visit_nodes(kernel.nests, [this](const Node& node) {
      if (const auto* d = std::get_if<Define>(&node.is)) defines_[d->slot].push_back(d);
    });
  }

  std::string run() {
    for (std::size_t id = 0; id < kernel_.arrays.size(); ++id) {
      if (!kernel_.arrays[id].is_private) declare(static_cast<ArrayId>(id));
    }
    for (std::size_t id = 0; id < kernel_.scalars.size(); ++id) {
      const Scalar& s = kernel_.scalars[id];
      if (s.is_private) continue;
      line(fmt::format("{} {}{};", c_name(s.type), print_.scalar(static_cast<ScalarId>(id)),
                       s.initial ? fmt::format(" = {}", *s.initial) : ""));
    }
    for (const auto& [slot, defines] : defines_) {
      if (!is_constant(slot)) line(fmt::format("int {};", print_.slot(slot)));
    }
    nodes(kernel_.nests);
    return std::move(text_);
  }

  std::string nests_alone() {
    ++depth_;
    for (const auto& [slot, defines] : defines_) {
      if (!is_constant(slot)) line(fmt::format("long {};", print_.slot(slot)));
    }
    nodes(kernel_.nests);
    return std::move(text_);
  }

 private:
  void line(const std::string& text) { text_ += std::string(2 * depth_, ' ') + text + "\n"; }
  bool is_constant(Slot slot) const {
    const auto& defines = defines_.at(slot);
    return defines.size() == 1 && defines[0]->table;
  }

  void declare(ArrayId id) {
    const Array& a = kernel_.arrays[id];
    std::string text = fmt::format("{} {}", c_name(a.type), print_.array(id));
    for (const Int extent : a.extents) text += fmt::format("[{}]", extent);
    line(text + ";");
  }

  /// What was declared inside loops is private to an iteration: it is declared in the outermost loop that uses it.
  void declare_private(const Loop& loop) {
    std::set<ArrayId> arrays;
    std::set<ScalarId> scalars;
    const auto access = [&](const Access& a) {
      if (kernel_.arrays[a.array].is_private) arrays.insert(a.array);
    };
    const auto scalar = [&](ScalarId id) {
      if (kernel_.scalars[id].is_private) scalars.insert(id);
    };
    const auto value = [&](const auto& self, const Value& v) -> void {
      if (v.op == Op::load) access(v.access);
      if (v.op == Op::scalar) scalar(v.scalar);
      for (const Value& operand : v.operands) self(self, operand);
    };
    visit_nodes(loop.body, [&](const Node& node) {
      if (const auto* guard = std::get_if<Guard>(&node.is)) {
        for (const Value& v : guard->data) value(value, v);
      }
      const auto* s = std::get_if<Statement>(&node.is);
      if (!s) return;
      value(value, s->value);
      if (const auto* a = std::get_if<Access>(&s->target)) access(*a);
      if (const auto* id = std::get_if<ScalarId>(&s->target)) scalar(*id);
    });
    for (const ArrayId id : arrays) declare(id);
    for (const ScalarId id : scalars)
      line(fmt::format("{} {};", c_name(kernel_.scalars[id].type), print_.scalar(static_cast<ScalarId>(id))));
  }

  void nodes(const std::vector<Node>& list) {
    const Guard* before = nullptr;
    for (const Node& node : list) {
      if (const auto* l = std::get_if<Loop>(&node.is)) loop(*l);
      if (const auto* s = std::get_if<Statement>(&node.is)) statement(*s);
      if (const auto* d = std::get_if<Define>(&node.is)) define(*d);
      const auto* g = std::get_if<Guard>(&node.is);
      if (g) guard(*g, before);
      before = g;
    }
  }

  void loop(const Loop& l) {
    for (const Define& d : l.reads) print_.read(d);
    const std::string start = l.step > 0 ? print_.list("max", l.lower) : print_.list("min", l.upper);
    const std::string end = l.step > 0 ? print_.list("min", l.upper) : print_.list("max", l.lower);
    while (names_.contains(print_.slot(l.slot))) print_.rename(l.slot, print_.slot(l.slot) + "_");
    const std::string name = print_.slot(l.slot);
    names_.insert(name);
    if (full_ && l.parallel) pragma(l);
    line(fmt::format("for ({6} {0} = {1}; {0} {2} {3}; {0} {4} {5}) {{", name, start, l.step > 0 ? "<=" : ">=", end,
                     l.step > 0 ? "+=" : "-=", l.step > 0 ? l.step : -l.step, full_ ? "long" : "int"));
    ++depth_;
    if (names_.size() == 1) declare_private(l);
    const bool outermost = l.parallel && !shared_;
    if (outermost) shared_ = l.slot, outside_ = open_;
    open_.insert(l.slot);
    nodes(l.body);
    open_.erase(l.slot);
    if (outermost) shared_.reset();
    --depth_;
    line("}");
    names_.erase(name);
  }

  /// Private scalars are declared in the outermost loop, and those that live beyond this one are shared: no two of its
  /// iterations use the same, or it would not be parallel. Sums over the loop become reductions.
  void pragma(const Loop& l) {
    std::set<std::string> privates;
    std::set<std::string> sums;
    std::set<std::string> products;
    const std::map<ScalarId, std::size_t> here = scalar_uses(l.body);
    const std::map<ScalarId, std::size_t> all = scalar_uses(kernel_.nests);
    visit_nodes(l.body, [&](const Node& node) {
      const auto* s = std::get_if<Statement>(&node.is);
      const auto* id = s == nullptr ? nullptr : std::get_if<ScalarId>(&s->target);
      if (id == nullptr || (names_.size() <= 1 && kernel_.scalars[*id].is_private)) return;
      const bool own = kernel_.scalars[*id].is_private;
      if (own && here.at(*id) < all.at(*id)) return;
      const bool sum = !own && (s->assign == Assign::add || s->assign == Assign::subtract);
      const bool product = !own && s->assign == Assign::multiply;
      (sum ? sums : product ? products : privates).insert(print_.scalar(*id));
    });
    std::string text = "#pragma omp parallel for";
    if (l.chunk > 0) text += fmt::format(" schedule(static, {})", l.chunk);
    if (!privates.empty()) text += fmt::format(" private({})", fmt::join(privates, ", "));
    if (!sums.empty()) text += fmt::format(" reduction(+ : {})", fmt::join(sums, ", "));
    if (!products.empty()) text += fmt::format(" reduction(* : {})", fmt::join(products, ", "));
    text_ += text + "\n";
  }

  void guard(const Guard& g, const Guard* before) {
    const bool is_else = g.ratio && g.negated && before && before->ratio && before->site == g.site;
    if (is_else) {
      text_.pop_back();
      text_ += " else {\n";
    } else {
      line(fmt::format("if ({}){} {{", print_.condition(g), g.ratio ? fmt::format(" /* ratio {} */", *g.ratio) : ""));
    }
    ++depth_;
    nodes(g.body);
    --depth_;
    line("}");
  }

  /// Sums into elements that several iterations of a shared loop may update, which only `reassociate` allows: all but
  /// those with a subscript that is another one in each iteration.
  bool needs_atomic(const Statement& s, const Access& target) const {
    const bool update = s.assign == Assign::add || s.assign == Assign::subtract || s.assign == Assign::multiply;
    if (!shared_ || !update || kernel_.arrays[target.array].is_private) return false;
    if (std::ranges::find(kernel_.schedule, "reassociate") == kernel_.schedule.end()) return false;
    return std::ranges::none_of(target.subscripts, [this](const Quasi& q) {
      return q.is_affine() &&
             std::ranges::all_of(q.terms,
                                 [this](const Term& t) { return t.slot == *shared_ || outside_.contains(t.slot); }) &&
             q.uses(*shared_);
    });
  }

  void statement(const Statement& s) {
    const std::string value = print_.value(s.value, true);
    const auto* scalar = std::get_if<ScalarId>(&s.target);
    const std::string target = scalar ? print_.scalar(*scalar) : print_.access(std::get<Access>(s.target));
    const auto* array = std::get_if<Access>(&s.target);
    const bool atomic = full_ && array && needs_atomic(s, *array);
    if (atomic) text_ += "#pragma omp atomic\n";
    if (full_ && array && kernel_.arrays[array->array].nontemporal && !atomic) {
      const std::string sum =
          s.assign == Assign::set ? value : fmt::format("{} {} ({})", target, sign(s.assign)[0], value);
      line(fmt::format("STREAM({}, {});", target, sum));
    } else {
      line(fmt::format("{} {} {};", target, sign(s.assign), value));
    }
  }

  void define(const Define& d) {
    const std::string name = print_.slot(d.slot);
    print_.read(d);
    line(fmt::format("{}{} = {};", is_constant(d.slot) ? (full_ ? "const long " : "const int ") : "", name,
                     print_.slot(d.slot)));
    print_.rename(d.slot, name);
  }

  const Kernel& kernel_;
  bool full_;
  ExpressionPrinter print_;
  std::string text_;
  std::size_t depth_ = 0;
  std::set<std::string> names_;                         ///< of the loops around
  std::set<Slot> open_, outside_;                       ///< loops around; those around the shared one
  std::optional<Slot> shared_;                          ///< the outermost shared loop around
  std::map<Slot, std::vector<const Define*>> defines_;  ///< the nodes that define each slot
};

}  // namespace

std::string nests_as_full_c(const Kernel& kernel) { return TreePrinter(kernel, true).nests_alone(); }

std::string to_c(const Kernel& kernel) { return TreePrinter(kernel).run(); }

}  // namespace mansard
