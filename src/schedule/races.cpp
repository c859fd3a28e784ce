#include "schedule/races.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "schedule/affine/privates.hpp"
#include "workload/print.hpp"

namespace mansard {
namespace {

/// How often each scalar and private array is used.
std::map<Storage, std::size_t> counted(const Kernel& kernel, const std::vector<Node>& nodes) {
  std::map<Storage, std::size_t> uses;
  const auto count = [&](const auto& self, const std::vector<Node>& list) -> void {
    for (const Node& node : list) {
      if (const auto* loop = std::get_if<Loop>(&node.is)) {
        self(self, loop->body);
      } else if (const auto* guard = std::get_if<Guard>(&node.is); guard != nullptr && contains_loops(node)) {
        self(self, guard->body);
      } else {
        for (const StorageUse& use : storage_uses(kernel, node)) ++uses[use.storage];
      }
    }
  };
  count(count, nodes);
  return uses;
}

bool no_two_alike(const std::vector<std::int32_t>& values) {
  if (values.empty()) return true;
  const auto [least, most] = std::ranges::minmax(values);
  const auto range = static_cast<std::uint64_t>(std::int64_t{most} - least) + 1;
  if (range < values.size()) return false;
  if (range / 64 > values.size()) {  // too thinly spread for a bit a value
    std::vector<std::int32_t> sorted = values;
    std::ranges::sort(sorted);
    return std::ranges::adjacent_find(sorted) == sorted.end();
  }
  std::vector<bool> seen(range);
  for (const std::int32_t value : values) {
    const auto at = static_cast<std::size_t>(std::int64_t{value} - least);
    if (seen[at]) return false;
    seen[at] = true;
  }
  return true;
}

class RaceFinder {
 public:
  RaceFinder(const Kernel& kernel, const Loop& loop, bool reassociate)
      : kernel_(kernel),
        loop_(loop),
        reassociate_(reassociate),
        all_(counted(kernel, kernel.nests)),
        here_(counted(kernel, loop.body)),
        privates_(kernel),
        varying_{loop.slot} {}

  std::optional<std::string> find() {
    body(loop_.body);
    return found_;
  }

 private:
  void body(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      if (const auto* d = std::get_if<Define>(&node.is)) {
        varying_.insert(d->slot);
        if (d->table) chosen_[d->slot] = *d->table;
      }
      if (const auto* guard = std::get_if<Guard>(&node.is)) body(guard->body);
      if (const auto* s = std::get_if<Statement>(&node.is)) statement(*s);
      const auto* loop = std::get_if<Loop>(&node.is);
      if (loop == nullptr) continue;
      const bool varies = !loop->reads.empty() || differs(loop->lower) || differs(loop->upper);
      if (varies) varying_.insert(loop->slot);
      body(loop->body);
    }
  }

  [[nodiscard]] bool differs(const std::vector<Quasi>& list) const {
    return std::ranges::any_of(list, [this](const Quasi& q) { return uses_any(q, varying_); });
  }

  void statement(const Statement& s) {
    const bool update = s.assign == Assign::add || s.assign == Assign::subtract || s.assign == Assign::multiply;
    if (found_ || (reassociate_ && update)) return;
    if (const auto* a = std::get_if<Access>(&s.target)) {
      if (kernel_.arrays[a->array].is_private) return;
      if (const auto table = table_of(*a)) return indirect(s, *a, *table, update);
      if (differs(a->subscripts)) return;
      std::string element = kernel_.arrays[a->array].name;
      for (const Quasi& q : a->subscripts) element += "[" + to_string(q, kernel_) + "]";
      found_ = fmt::format("{} writes {} in each of them", s.label, element);
    } else {
      const ScalarId id = std::get<ScalarId>(s.target);
      const Storage storage{false, id, {}};
      const bool own = kernel_.scalars[id].is_private && all_.at(storage) == here_.at(storage);
      if (own || privates_.is_private(storage)) return;
      found_ = fmt::format("{} writes {} in each of them", s.label, kernel_.scalars[id].name);
    }
  }

  /// Which elements are written is read from a table: is none in it twice?
  void indirect(const Statement& s, const Access& a, ArrayId id, bool update) {
    const Array& table = kernel_.arrays[id];
    if (table.data && all_different(id)) return;
    found_ = fmt::format("{} writes elements of {} that {} chooses, and several may be the same{}", s.label,
                         kernel_.arrays[a.array].name, table.name,
                         update ? "; after reassociate, such sums are atomic" : "");
  }

  [[nodiscard]] std::optional<ArrayId> table_of(const Access& a) const {
    for (const Define& d : a.indices) {
      if (d.table) return d.table;
    }
    for (const auto& [slot, table] : chosen_) {
      if (std::ranges::any_of(a.subscripts, [s = slot](const Quasi& q) { return q.uses(s); })) return table;
    }
    return std::nullopt;
  }

  bool all_different(ArrayId id) {
    const auto known = different_.find(id);
    if (known != different_.end()) return known->second;
    return different_[id] = no_two_alike(*kernel_.arrays[id].data);
  }

  const Kernel& kernel_;
  const Loop& loop_;
  bool reassociate_;
  std::map<Storage, std::size_t> all_, here_;
  Privates privates_;
  std::map<Slot, ArrayId> chosen_;     ///< variables read from a table
  std::map<ArrayId, bool> different_;  ///< tables that were looked at: is no value in them twice?
  std::set<Slot> varying_;             ///< what can differ from one iteration to another
  std::optional<std::string> found_;
};

/// Spaces (UnitAccess) of what is declared inside a loop and used by these units alone: if they are all units of a
/// loop, each of its iterations has its own.
std::set<std::string> owned_by(const Kernel& kernel, const AffineNests& nests, const std::vector<std::size_t>& units) {
  using Name = std::pair<bool, std::uint16_t>;  // an array as a whole, or a scalar
  std::map<Name, std::size_t> all;
  std::map<Name, std::size_t> here;
  for (std::size_t u = 0; u < nests.units.size(); ++u) {
    const bool mine = std::ranges::find(units, u) != units.end();
    for (const auto& [storage, uses] : counted(kernel, nests.units[u].nodes)) {
      const Name name{storage.is_array, storage.id};
      all[name] += uses;
      if (mine) here[name] += uses;
    }
  }
  std::set<std::string> own;
  for (const auto& [name, uses] : here) {
    const auto& [is_array, id] = name;
    const bool declared_inside = is_array || kernel.scalars[id].is_private;
    if (declared_inside && uses == all.at(name)) own.insert(is_array ? fmt::format("A{}", id) : scalar_space(id));
  }
  return own;
}

/// What every iteration of the loop stores to the same element, in words.
std::optional<std::string> certain_race(const Kernel& kernel, const std::vector<Node>& nest, const std::string& loop,
                                        bool reassociate) {
  std::optional<std::string> race;
  visit_nodes(nest, [&](const Node& node) {
    const auto* l = std::get_if<Loop>(&node.is);
    if (l != nullptr && l->name == loop && !race) race = RaceFinder(kernel, *l, reassociate).find();
  });
  return race;
}

/// The loops from the root to this one, both included.
std::vector<const Branch*> path_to(const Branch& root, const Branch& loop) {
  if (&root == &loop) return {&root};
  for (const Branch& child : root.children) {
    std::vector<const Branch*> path = path_to(child, loop);
    if (path.empty()) continue;
    path.insert(path.begin(), &root);
    return path;
  }
  return {};
}

std::optional<std::string> race_of(Scheduling& scheduling, const Branch& root, const Branch& loop, const Position& at) {
  const auto own = owned_by(scheduling.kernel(), scheduling.nests(), units_below(loop));
  return scheduling.dependences().carried_by(path_to(root, loop), own, at);
}

}  // namespace

bool may_share(Scheduling& scheduling, std::size_t r, const std::string& name, const StepCall& call) {
  const std::string loop = split_loop_name(name).second;
  AffineNests& nests = scheduling.nests();
  Branch& root = nests.roots[r];
  std::optional<std::string> race;
  if (root.kind == Branch::Kind::opaque) {
    race = certain_race(scheduling.kernel(), root.nodes, loop, scheduling.may_reassociate());
  } else {
    for (const Branch* branch : loops_named(root, nests, name)) {
      if (!race) race = race_of(scheduling, root, *branch, call.at);
    }
  }
  if (!race) return true;
  const std::string text = fmt::format("iterations of loop '{}' depend on each other: {}", loop, *race);
  if (scheduling.forced()) {
    scheduling.kernel().warnings.push_back(fmt::format("{} was forced although {}", call.text, text));
  } else {
    scheduling.diagnostics.add(call.at, text);
  }
  return scheduling.forced();
}

std::optional<std::string> shared_race(Scheduling& scheduling, const Branch& root, const Position& at) {
  std::optional<std::string> race;
  const auto look = [&](const auto& self, const Branch& branch) -> void {
    if (branch.kind != Branch::Kind::loop || race) return;
    if (branch.parallel) {
      if (const auto found = race_of(scheduling, root, branch, at))
        race = fmt::format("iterations of loop '{}', which is shared among cores, depend on each other: {}",
                           branch.name, *found);
    }
    for (const Branch& child : branch.children) self(self, child);
  };
  look(look, root);
  return race;
}

}  // namespace mansard
