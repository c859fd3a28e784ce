#include "schedule/scheduling.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/affine/generate.hpp"
#include "schedule/affine/homes.hpp"
#include "schedule/races.hpp"
#include "schedule/step.hpp"
#include "schedule/unroll.hpp"

namespace mansard {
namespace {

void find(Branch& branch, const AffineNests& nests, const std::string& statement, const std::string& loop,
          std::vector<Branch*>& found) {
  if (branch.kind != Branch::Kind::loop) return;
  const auto holds = [&](std::size_t u) { return holds_statement(nests.units[u], statement); };
  if (branch.name == loop && (statement.empty() || std::ranges::any_of(units_below(branch), holds)))
    found.push_back(&branch);
  for (Branch& child : branch.children) find(child, nests, statement, loop, found);
}

}  // namespace

std::vector<Branch*> loops_named(Branch& root, const AffineNests& nests, const std::string& name) {
  const auto [statement, loop] = split_loop_name(name);
  std::vector<Branch*> found;
  find(root, nests, statement, loop, found);
  return found;
}

std::vector<Branch*> band(Branch& from, const Branch* to) {
  std::vector<Branch*> loops{&from};
  while (loops.back() != to) {
    Branch& last = *loops.back();
    if (last.children.size() != 1 || last.children.front().kind != Branch::Kind::loop) return {};
    loops.push_back(&last.children.front());
  }
  return loops;
}

AffineNests& Scheduling::nests() {
  if (!nests_) {
    nests_ = std::make_unique<AffineNests>(affine_nests(kernel_));
    dependences_ = std::make_unique<Dependences>(kernel_, *nests_);
    if (reassociate_) dependences_->allow_reassociation();
  }
  return *nests_;
}

Dependences& Scheduling::dependences() {
  nests();
  return *dependences_;
}

void Scheduling::allow_reassociation() {
  reassociate_ = true;
  if (dependences_) dependences_->allow_reassociation();
}

Kernel& Scheduling::with_loops() {
  if (!nests_) return kernel_;
  std::vector<Node> loops;
  bool unrolled = false;
  for (std::size_t r = 0; r < nests_->roots.size(); ++r) {
    const Branch& root = nests_->roots[r];
    if (!nests_->changed[r] && root.kind != Branch::Kind::opaque) {
      loops.push_back(kernel_.nests[r]);
      continue;
    }
    for (Node& node : generate(kernel_, *nests_, root)) loops.push_back(std::move(node));
  }
  visit_nodes(loops, [&](const Node& node) {
    const auto* loop = std::get_if<Loop>(&node.is);
    unrolled = unrolled || (loop != nullptr && loop->unroll > 1);
  });
  nests_.reset();
  dependences_.reset();
  kernel_.nests = std::move(loops);
  if (unrolled) write_out_unrolled(kernel_);
  return kernel_;
}

bool Scheduling::replace_roots(std::size_t first, std::size_t count, std::vector<Branch> with, const StepCall& step,
                               bool known) {
  auto broken = known ? std::nullopt : dependences().broken_by(with, step.at);
  if (!broken) broken = torn_scalar(kernel_, nests(), with, step.at);
  for (const Branch& branch : with) {
    if (!broken) broken = shared_race(*this, branch, step.at);
  }
  if (broken && !force_) {
    diagnostics.add(step.at, fmt::format("{} would change the result: {}", step.name, *broken));
    return false;
  }
  if (broken)
    kernel_.warnings.push_back(fmt::format("{} was forced although it changes the result: {}", step.text, *broken));
  auto& roots = nests_->roots;
  auto& changed = nests_->changed;
  const auto at = static_cast<std::ptrdiff_t>(first);
  const auto end = static_cast<std::ptrdiff_t>(first + count);
  roots.erase(roots.begin() + at, roots.begin() + end);
  changed.erase(changed.begin() + at, changed.begin() + end);
  // The kernel keeps one node per root: unchanged roots are taken from there, and steps look statements up in it.
  auto& kept = kernel_.nests;
  Guard together;
  together.body.assign(kept.begin() + at, kept.begin() + end);
  kept.erase(kept.begin() + at, kept.begin() + end);
  kept.insert(kept.begin() + at, with.size(), Node{Guard{}});
  kept[first] = Node{std::move(together)};
  changed.insert(changed.begin() + at, with.size(), true);
  roots.insert(roots.begin() + at, with.begin(), with.end());
  return true;
}

std::vector<std::size_t> Scheduling::roots_with(const std::string& loop, const Position& at, bool opaque) {
  AffineNests& all = nests();
  std::vector<std::size_t> roots;
  std::vector<std::string> names;
  const Branch* refused = nullptr;
  const std::string name = split_loop_name(loop).second;
  const auto note = [&](const std::string& n) {
    if (std::ranges::find(names, n) == names.end()) names.push_back(n);
  };
  for (std::size_t r = 0; r < all.roots.size(); ++r) {
    Branch& root = all.roots[r];
    if (root.kind == Branch::Kind::opaque) {
      bool here = false;
      visit_nodes(root.nodes, [&](const Node& node) {
        if (const auto* l = std::get_if<Loop>(&node.is)) note(l->name), here = here || l->name == name;
      });
      if (here && opaque) roots.push_back(r);
      if (here) refused = &root;
      continue;
    }
    if (!loops_named(root, all, loop).empty()) roots.push_back(r);
    const auto collect = [&](const auto& self, const Branch& b) -> void {
      if (b.kind == Branch::Kind::loop) note(b.name);
      for (const Branch& child : b.children) self(self, child);
    };
    collect(collect, root);
  }
  if (!roots.empty()) return roots;
  if (refused != nullptr) {
    diagnostics.add(
        at, fmt::format("the nest of loop '{}' keeps its order, since {}{}; it takes parallel, nontemporal, "
                        "type, layout, pad, and tile of its outermost loop",
                        name, refused->reason, refused->at.line > 0 ? " (" + to_string(refused->at) + ")" : ""));
  } else {
    diagnostics.add({at, {}, "no loop is called '" + loop + "'; the loops are " + join(names), suggest(name, names)});
  }
  return roots;
}

}  // namespace mansard
