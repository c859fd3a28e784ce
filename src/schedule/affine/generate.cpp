#include "schedule/affine/generate.hpp"

#include <fmt/format.h>

#include <set>

#include "schedule/affine/ast_expression.hpp"
#include "schedule/affine/isl.hpp"
#include "schedule/affine/isl_text.hpp"
#include "schedule/rewrite.hpp"

namespace mansard {
namespace {

/// The branch as the text of an isl schedule tree. A mark before each band says which loop it is.
class TreeText {
 public:
  TreeText(const AffineNests& nests, std::vector<const Branch*>& loops) : nests_(nests), loops_(loops) {}

  std::string schedule(const Branch& root) {
    std::string domain;
    for (const std::size_t u : units_below(root)) domain += (domain.empty() ? "" : "; ") + isl_text::domain(nests_, u);
    const std::string below = branch(root);
    return fmt::format("{{ domain: \"{{ {} }}\"{} }}", domain, below.empty() ? "" : ", child: " + below);
  }

 private:
  std::string branch(const Branch& b) {
    if (b.kind != Branch::Kind::loop) return "";
    std::string values;
    for (const auto& [unit, value] : b.value) {
      values += fmt::format("{}{} -> [({})]", values.empty() ? "" : "; ", isl_text::tuple(nests_, unit),
                            isl_text::quasi(value));
    }
    const std::size_t mark = loops_.size();
    loops_.push_back(&b);
    const std::string below = list(b.children);
    // Loops over tiles are not split into pieces, so that each is one loop.
    return fmt::format("{{ mark: \"L{}\", child: {{ schedule: \"[{{ {} }}]\"{}{} }} }}", mark, values,
                       b.is_tile ? ", options: \"{ atomic[i0] }\"" : "", below.empty() ? "" : ", child: " + below);
  }

  std::string list(const std::vector<Branch>& branches) {
    if (branches.size() == 1) return branch(branches.front());
    std::string text;
    for (const Branch& b : branches) {
      std::string filter;
      for (const std::size_t u : units_below(b)) filter += (filter.empty() ? "" : "; ") + isl_text::tuple(nests_, u);
      const std::string below = branch(b);
      text += fmt::format("{}{{ filter: \"{{ {} }}\"{} }}", text.empty() ? "" : ", ", filter,
                          below.empty() ? "" : ", child: " + below);
    }
    return "{ sequence: [ " + text + " ] }";
  }

  const AffineNests& nests_;
  std::vector<const Branch*>& loops_;
};

class Builder {
 public:
  Builder(Kernel& kernel, const AffineNests& nests, const std::vector<const Branch*>& loops)
      : kernel_(kernel), nests_(nests), loops_(loops), own_(kernel) {}

  std::vector<Node> nodes(const isl::ast_node& node, const Branch* loop) {
    if (node.isa<isl::ast_node_mark>()) {
      const auto mark = node.as<isl::ast_node_mark>();
      const Branch* marked = loops_[std::stoul(mark.id().name().substr(1))];
      made_.erase(marked);
      around_.push_back(marked);
      std::vector<Node> body = nodes(mark.node(), marked);
      around_.pop_back();
      if (made_.contains(marked)) return body;
      return {{once(*marked, std::move(body))}};
    }
    if (node.isa<isl::ast_node_block>()) {
      std::vector<Node> result;
      const isl::ast_node_list children = node.as<isl::ast_node_block>().children();
      for (unsigned i = 0; i < children.size(); ++i) {
        for (Node& n : nodes(children.at(static_cast<int>(i)), loop)) result.push_back(std::move(n));
      }
      return result;
    }
    if (node.isa<isl::ast_node_if>()) {
      const auto branch = node.as<isl::ast_node_if>();
      Guard guard;
      guard.any_of = ast_condition(branch.cond(), names_);
      guard.body = nodes(branch.then_node(), loop);
      return {{std::move(guard)}};
    }
    if (node.isa<isl::ast_node_for>()) return {{for_loop(node.as<isl::ast_node_for>(), loop)}};
    return user(node.as<isl::ast_node_user>());
  }

 private:
  /// isl leaves out loops of one iteration, and uses their value; later steps still know them by their names.
  Loop once(const Branch& branch, std::vector<Node> body) {
    Loop loop = empty_loop(branch);
    loop.lower = loop.upper = {Quasi(branch.start)};
    loop.body = std::move(body);
    return loop;
  }

  Loop empty_loop(const Branch& branch) {
    Loop loop;
    loop.slot = static_cast<Slot>(kernel_.slots.size());
    loop.name = branch.name;
    loop.at = branch.at;
    loop.parallel = branch.parallel;
    loop.chunk = branch.chunk;
    loop.counts_updates = branch.counts_updates;
    loop.unroll = branch.unroll;
    loop.simd = branch.simd;
    kernel_.slots.push_back(branch.name);
    return loop;
  }

  Loop for_loop(const isl::ast_node_for& node, const Branch* branch) {
    Loop loop = empty_loop(*branch);
    made_.insert(branch);
    const std::string iterator = ast_name(node.iterator());
    loop.lower = ast_bounds(node.init(), names_);
    if (node.is_degenerate()) {
      loop.upper = loop.lower;
    } else {
      const auto compare = node.cond().as<isl::ast_expr_op>();
      loop.upper = ast_bounds(compare.arg(1), names_);
      if (compare.isa<isl::ast_expr_op_lt>()) {
        for (Quasi& q : loop.upper) q.constant -= 1;
      }
      loop.step = ast_number(node.inc());
    }
    names_[iterator] = Quasi::of_slot(loop.slot);
    loop.body = nodes(node.body(), nullptr);
    names_.erase(iterator);
    return loop;
  }

  /// The call U3(e0, e1) is unit 3 with its iterators replaced by e0, e1.
  std::vector<Node> user(const isl::ast_node_user& node) {
    const auto call = node.expr().as<isl::ast_expr_op>();
    const std::size_t u = std::stoul(ast_name(call.arg(0)).substr(1));
    const Unit& unit = nests_.units[u];
    Substitution substitution;
    for (std::size_t i = 0; i < unit.iterators.size(); ++i)
      substitution[unit.iterators[i]] = ast_quasi(call.arg(static_cast<int>(i) + 1), names_);
    std::vector<Node> result = substituted(unit.nodes, substitution);
    for (const Branch* branch : around_) {
      if (branch->own.empty()) continue;
      const Quasi iteration = branch->value.at(u) + Quasi(-branch->start);
      result = with_own_scalars(result, *branch, substituted(iteration, substitution));
    }
    return result;
  }

  /// Which copy is meant is a matter of the loops around: once these are written out it is known (schedule/unroll.hpp).
  std::vector<Node> with_own_scalars(const std::vector<Node>& nodes, const Branch& copies, const Quasi& iteration) {
    std::vector<Node> result;
    for (Int c = 0; c < static_cast<Int>(copies.unroll); ++c) {
      Guard guard;
      guard.any_of = {{modulo(iteration + Quasi(-c), static_cast<Int>(copies.unroll)) * -1}};
      guard.body = own_.copy(nodes, copies.own, copies.name, c);
      result.push_back({std::move(guard)});
    }
    return result;
  }

  Kernel& kernel_;
  const AffineNests& nests_;
  const std::vector<const Branch*>& loops_;
  AstNames names_;
  CopiedScalars own_;
  std::vector<const Branch*> around_;  ///< loops whose marks are being read
  std::set<const Branch*> made_;       ///< loops that have been generated below the mark being read
};

}  // namespace

std::vector<Node> generate(Kernel& kernel, const AffineNests& nests, const Branch& root) {
  if (root.kind == Branch::Kind::opaque) return root.nodes;
  return with_isl(root.at, [&](const isl::ctx& context) {
    std::vector<const Branch*> loops;
    const isl::schedule schedule(context, TreeText(nests, loops).schedule(root));
    return Builder(kernel, nests, loops).nodes(isl::ast_build(context).node_from(schedule), nullptr);
  });
}

}  // namespace mansard
