#include "schedule/reorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "schedule/step.hpp"

namespace mansard {
namespace {

std::string name_of(const Branch& branch, const AffineNests& nests) {
  return branch.kind == Branch::Kind::loop ? "loop '" + branch.name + "'" : nests.units[branch.unit].label;
}

/// Why the loops are not one band: the first that has a neighbour inside.
std::string obstacle(const Branch& from, const AffineNests& nests) {
  const Branch* b = &from;
  while (b->children.size() == 1 && b->children.front().kind == Branch::Kind::loop) b = &b->children.front();
  std::string inside;
  for (const Branch& child : b->children) inside += (inside.empty() ? "" : ", ") + name_of(child, nests);
  return fmt::format("loop '{}' holds {}", b->name, inside);
}

void reorder_root(Scheduling& scheduling, std::size_t r, const std::vector<const Argument*>& loops, bool exchange,
                  const StepCall& call) {
  Branch root = scheduling.nests().roots[r];
  std::vector<Branch*> wanted;
  for (const Argument* argument : loops) {
    const std::vector<Branch*> found = loops_named(root, scheduling.nests(), argument->value);
    if (found.size() != 1) {
      scheduling.diagnostics.add(argument->at,
                                 fmt::format("{} loops of this nest are called '{}'; name a statement too, "
                                             "as in S2.{}",
                                             found.size(), argument->value, argument->value));
      return;
    }
    wanted.push_back(found.front());
  }
  // The places, from the outermost in: those of a band from the outermost to the innermost of the loops named.
  for (Branch* outermost : wanted) {
    for (Branch* innermost : wanted) {
      const std::vector<Branch*> places = band(*outermost, innermost);
      std::vector<Branch*> mine;
      for (Branch* place : places) {
        if (std::ranges::find(wanted, place) != wanted.end()) mine.push_back(place);
      }
      if (mine.size() != wanted.size()) continue;
      std::vector<Branch> content;
      for (const Branch* w : wanted) {
        content.push_back(*w);
        content.back().children.clear();
      }
      if (exchange && mine == wanted) std::ranges::reverse(content);
      for (std::size_t n = 0; n < mine.size(); ++n) {
        std::swap(content[n].children, mine[n]->children);
        *mine[n] = std::move(content[n]);
      }
      scheduling.replace_roots(r, 1, {std::move(root)}, call);
      return;
    }
  }
  scheduling.diagnostics.add(
      call.at, "these loops are not nested one directly in the other: " + obstacle(root, scheduling.nests()));
}

}  // namespace

void reorder(Scheduling& scheduling, const std::vector<const Argument*>& loops, bool exchange, const StepCall& call) {
  std::set<std::size_t> roots;
  for (const Argument* argument : loops) {
    const auto found = scheduling.roots_with(argument->value, argument->at);
    roots.insert(found.begin(), found.end());
  }
  if (!scheduling.diagnostics.empty()) return;
  for (const std::size_t r : roots) reorder_root(scheduling, r, loops, exchange, call);
}

std::vector<const Argument*> loop_names(const StepCall& call) {
  std::vector<const Argument*> loops;
  for (const Argument& argument : call.arguments) {
    if (!argument.key.empty()) return {};
    loops.push_back(&argument);
  }
  return loops;
}

}  // namespace mansard
