#include "schedule/affine/homes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "schedule/affine/isl.hpp"
#include "schedule/affine/isl_text.hpp"
#include "schedule/affine/privates.hpp"

namespace mansard {
namespace {

class HomeFinder {
 public:
  explicit HomeFinder(const Kernel& kernel) : kernel_(kernel) {}

  std::map<ScalarId, std::size_t> find(const std::vector<Node>& nodes) {
    list(nodes, 0);
    std::map<ScalarId, std::size_t> found;
    for (const auto& [id, home] : homes_) {
      if (home.through_loops && home.set_first && kernel_.scalars[id].is_private) found[id] = home.loops;
    }
    return found;
  }

 private:
  struct Home {
    std::size_t loops;
    bool set_first, through_loops;
  };

  /// The scalars used in a body. The last list that stores a home is the innermost which has all uses.
  std::set<ScalarId> list(const std::vector<Node>& nodes, std::size_t loops) {
    std::map<ScalarId, std::vector<const Node*>> users;
    for (const Node& node : nodes) {
      for (const ScalarId id : below(node, loops)) users[id].push_back(&node);
    }
    std::set<ScalarId> all;
    for (const auto& [id, places] : users) {
      all.insert(id);
      if (places.size() == 1 && contains_loops(*places.front())) continue;  // its home is further in
      homes_[id] = {loops, sets(*places.front(), id),
                    std::ranges::any_of(places, [](const Node* n) { return contains_loops(*n); })};
    }
    return all;
  }

  std::set<ScalarId> below(const Node& node, std::size_t loops) {
    if (const auto* loop = std::get_if<Loop>(&node.is)) return list(loop->body, loops + 1);
    if (contains_loops(node)) return list(std::get<Guard>(node.is).body, loops);
    std::set<ScalarId> used;
    for (const StorageUse& use : storage_uses(kernel_, node)) {
      if (!use.storage.is_array) used.insert(use.storage.id);
    }
    return used;
  }

  /// Whole and on every path, before anything reads it: a plain assignment, not under a condition.
  bool sets(const Node& node, ScalarId id) const {
    if (!std::holds_alternative<Statement>(node.is)) return false;
    const std::vector<StorageUse> uses = storage_uses(kernel_, node);
    return std::ranges::find_if(uses,
                                [id](const StorageUse& use) { return !use.storage.is_array && use.storage.id == id; })
        ->write;
  }

  const Kernel& kernel_;
  std::map<ScalarId, Home> homes_;
};

using Path = std::vector<const Branch*>;

void paths_of(const std::vector<Branch>& branches, Path& around, std::map<std::size_t, Path>& paths) {
  for (const Branch& branch : branches) {
    if (branch.kind == Branch::Kind::unit) paths[branch.unit] = around;
    if (branch.kind != Branch::Kind::loop) continue;
    around.push_back(&branch);
    paths_of(branch.children, around, paths);
    around.pop_back();
  }
}

/// The loops that all units have around them.
Path common(const std::map<std::size_t, Path>& paths, const std::vector<std::size_t>& units) {
  Path shared = paths.at(units.front());
  for (const std::size_t u : units) {
    const Path& path = paths.at(u);
    shared.erase(std::ranges::mismatch(shared, path).in1, shared.end());
  }
  return shared;
}

/// A register for each home iteration in turn: some of the loops around all uses run through one home iteration after
/// the other, but for those that have registers of their own.
bool one_after_the_other(const AffineNests& nests, const std::vector<std::size_t>& units,
                         const std::map<std::size_t, Path>& paths, ScalarId id, std::size_t loops,
                         const isl::ctx& isl) {
  const Path shared = common(paths, units);
  const auto relation = [&](std::size_t loops_shared, bool copies) {
    isl::map all;
    for (const std::size_t u : units) {
      std::vector<Quasi> home;
      for (std::size_t l = 0; l < loops; ++l) home.push_back(Quasi::of_slot(nests.units[u].iterators[l]));
      std::vector<Quasi> place;
      for (std::size_t l = 0; l < loops_shared; ++l) place.push_back(shared[l]->value.at(u));
      for (const Branch* branch : paths.at(u)) {
        if (copies && std::ranges::find(branch->own, id) != branch->own.end()) place.push_back(copy_of(*branch, u));
      }
      const isl::map one = isl::map(isl, isl_text::map(nests, u, home))
                               .reverse()
                               .apply_range(isl::map(isl, isl_text::map(nests, u, place)));
      all = all.is_null() ? one : all.unite(one);
    }
    return all;
  };
  for (std::size_t l = 0; l <= shared.size(); ++l) {
    if (relation(l, true).is_injective()) return relation(l, false).is_single_valued();
  }
  return false;
}

}  // namespace

std::map<ScalarId, std::size_t> homes(const Kernel& kernel, const std::vector<Node>& nodes) {
  return HomeFinder(kernel).find(nodes);
}

std::optional<std::string> torn_scalar(const Kernel& kernel, const AffineNests& nests, const std::vector<Branch>& roots,
                                       const Position& at) {
  if (nests.homes.empty()) return std::nullopt;
  std::map<std::size_t, Path> paths;
  Path around;
  paths_of(roots, around, paths);
  return with_isl(at, [&](const isl::ctx& isl) -> std::optional<std::string> {
    for (const auto& [id, loops] : nests.homes) {
      std::vector<std::size_t> units;
      for (const auto& [u, path] : paths) {
        const auto uses = [space = scalar_space(id)](const UnitAccess& a) { return a.space == space; };
        if (std::ranges::any_of(nests.units[u].accesses, uses)) units.push_back(u);
      }
      if (units.empty() || one_after_the_other(nests, units, paths, id, loops, isl)) continue;
      std::string names;
      for (std::size_t l = 0; l < loops; ++l)
        names += (names.empty() ? "" : ", ") + kernel.slots[nests.units[units.front()].iterators[l]];
      return fmt::format(
          "'{}' holds one value for each iteration of {}, and would have to hold several at once; an array could",
          kernel.scalars[id].name, names);
    }
    return std::nullopt;
  });
}

}  // namespace mansard
