// Loop-tree IR to affine nests.
#include <fmt/format.h>

#include <algorithm>

#include "schedule/affine/affine.hpp"
#include "schedule/affine/delinearize.hpp"
#include "schedule/affine/homes.hpp"
#include "schedule/affine/isl_text.hpp"
#include "schedule/affine/privates.hpp"
#include "workload/print.hpp"

namespace mansard {
namespace {

/// Thrown and caught in this file: why a nest is not affine.
struct NotAffine {
  std::string reason;
  Position at;
};

std::string joined(std::string left, const std::string& right) {
  if (left.empty()) return right;
  return right.empty() ? left : left + " and " + right;
}

class Extractor {
 public:
  explicit Extractor(const Kernel& kernel) : kernel_(kernel), privates_(kernel), linear_(kernel) {
    visit_nodes(kernel.nests, [this](const Node& node) {
      const auto* s = std::get_if<Statement>(&node.is);
      const auto* id = s == nullptr ? nullptr : std::get_if<ScalarId>(&s->target);
      if (id != nullptr) written_.insert(*id);
    });
    nests_.homes = homes(kernel, kernel.nests);
    std::erase_if(nests_.homes, [this](const auto& home) { return privates_.is_private({false, home.first, {}}); });
  }

  AffineNests run() {
    for (std::size_t n = 0; n < kernel_.nests.size(); ++n) root(n);
    nests_.changed.assign(nests_.roots.size(), false);
    return std::move(nests_);
  }

 private:
  /// Where the walk is: the loops around, and the constraints under which the place is reached.
  struct Place {
    std::vector<Slot> slots;
    std::vector<Quasi> order, values;  ///< values: of each loop around, as the schedule sees it (downwards: negated)
    std::string constraints;
  };

  void root(std::size_t n) {
    const std::size_t units = nests_.units.size();
    const Node& node = kernel_.nests[n];
    try {
      Place place;
      place.order.emplace_back(static_cast<Int>(n));
      std::vector<Branch> branches = body({&node, 1}, kernel_.nests, place, n);
      if (branches.size() != 1) throw NotAffine{"several nests under one condition", {}};
      nests_.roots.push_back(std::move(branches.front()));
    } catch (const NotAffine& why) {
      nests_.units.resize(units);
      Branch opaque;
      opaque.kind = Branch::Kind::opaque;
      opaque.nodes = {node};
      opaque.reason = why.reason;
      opaque.at = why.at;
      nests_.roots.push_back(std::move(opaque));
    }
  }

  /// `list` is the body that holds `nodes`, which start at its child `first`.
  std::vector<Branch> body(std::span<const Node> nodes, const std::vector<Node>& list, const Place& place,
                           std::size_t first) {
    std::vector<Branch> result;
    const bool whole = nodes.size() == list.size();
    const auto groups =
        whole ? privates_.groups(list) : std::vector<std::pair<std::size_t, std::size_t>>{{first, first}};
    for (const auto& [from, to] : groups) {
      Place here = place;
      if (whole) here.order.emplace_back(static_cast<Int>(from));
      const Node& node = list[from];
      const auto* guard = std::get_if<Guard>(&node.is);
      if (const auto* l = std::get_if<Loop>(&node.is)) {
        result.push_back(loop(*l, here));
      } else if (guard != nullptr && contains_loops(node)) {
        here.constraints = joined(here.constraints, condition(*guard));
        for (Branch& b : body(guard->body, guard->body, here, 0)) result.push_back(std::move(b));
      } else {
        result.push_back(
            unit({list.begin() + static_cast<std::ptrdiff_t>(from), list.begin() + static_cast<std::ptrdiff_t>(to) + 1},
                 here));
      }
    }
    return result;
  }

  Branch loop(const Loop& l, const Place& place) {
    if (l.role != GpuRole::none) throw NotAffine{"it is mapped to a GPU", l.at};
    if (!l.reads.empty()) throw NotAffine{fmt::format("the bounds of loop '{}' are read from an array", l.name), l.at};
    check_slots(l.lower, place, l.at, "the bounds of loop '" + l.name + "'");
    check_slots(l.upper, place, l.at, "the bounds of loop '" + l.name + "'");
    Place inside = place;
    const std::string s = fmt::format("s{}", l.slot);
    for (const Quasi& q : l.lower)
      inside.constraints = joined(inside.constraints, fmt::format("{} >= {}", s, isl_text::quasi(q)));
    for (const Quasi& q : l.upper)
      inside.constraints = joined(inside.constraints, fmt::format("{} <= {}", s, isl_text::quasi(q)));
    if (l.step != 1 && l.step != -1) {
      const std::string start = l.step > 0 ? isl_text::extreme("max", l.lower) : isl_text::extreme("min", l.upper);
      const Int step = l.step > 0 ? l.step : -l.step;
      inside.constraints = joined(inside.constraints, fmt::format("({} - {}) mod {} = 0", s, start, step));
    }
    inside.slots.push_back(l.slot);
    inside.values.push_back(Quasi::of_slot(l.slot) * (l.step > 0 ? 1 : -1));
    inside.order.push_back(inside.values.back());
    Branch branch;
    branch.name = l.name;
    branch.at = l.at;
    branch.parallel = l.parallel;
    branch.chunk = l.chunk;
    branch.counts_updates = l.counts_updates;
    branch.simd = l.simd;
    branch.children = body(l.body, l.body, inside, 0);
    for (const std::size_t u : units_below(branch)) branch.value[u] = inside.values.back();
    return branch;
  }

  Branch unit(const std::vector<Node>& nodes, const Place& place) {
    Unit u;
    u.iterators = place.slots;
    u.domain = place.constraints.empty() ? "true" : place.constraints;
    u.order = place.order;
    u.nodes = nodes;
    std::string last;
    visit_nodes(nodes, [&](const Node& node) {
      if (const auto* s = std::get_if<Statement>(&node.is)) {
        if (u.label.empty()) u.label = s->label;
        last = s->label;
      }
    });
    if (last != u.label) u.label += "-" + last;
    for (const Node& node : nodes) leaf(node, "", place, u);
    Branch branch;
    branch.kind = Branch::Kind::unit;
    branch.unit = nests_.units.size();
    nests_.units.push_back(std::move(u));
    return branch;
  }

  void leaf(const Node& node, const std::string& under, const Place& place, Unit& u) {
    if (const auto* d = std::get_if<Define>(&node.is)) throw NotAffine{"an index is read from an array", d->at};
    if (const auto* guard = std::get_if<Guard>(&node.is)) {
      const std::string all = joined(under, condition(*guard));
      for (const Node& inner : guard->body) leaf(inner, all, place, u);
    }
    const auto* s = std::get_if<Statement>(&node.is);
    if (s == nullptr) return;
    std::optional<Op> update;
    if (s->assign == Assign::add || s->assign == Assign::subtract) update = Op::add;
    if (s->assign == Assign::multiply) update = Op::multiply;
    if (s->assign != Assign::set) target(*s, false, update, under, place, u);
    value(s->value, under, place, u);
    target(*s, true, update, under, place, u);
  }

  void target(const Statement& s, bool write, std::optional<Op> update, const std::string& under, const Place& place,
              Unit& u) {
    if (const auto* id = std::get_if<ScalarId>(&s.target)) scalar(*id, write, update, under, place, u);
    if (const auto* a = std::get_if<Access>(&s.target)) access(*a, write, update, under, place, u);
  }

  void value(const Value& v, const std::string& under, const Place& place, Unit& u) {
    if (v.op == Op::load) access(v.access, false, {}, under, place, u);
    if (v.op == Op::scalar) scalar(v.scalar, false, {}, under, place, u);
    if (v.op == Op::integer) check_slots(v.index, place, {}, "index values");
    for (const Value& operand : v.operands) value(operand, under, place, u);
  }

  void scalar(ScalarId id, bool write, std::optional<Op> update, const std::string& under, const Place& place,
              Unit& u) {
    if (!written_.contains(id) || privates_.is_private({false, id, {}})) return;
    std::vector<Quasi> iteration;  // that has it to itself
    if (const auto home = nests_.homes.find(id); home != nests_.homes.end()) {
      for (std::size_t l = 0; l < home->second; ++l) iteration.push_back(Quasi::of_slot(place.slots[l]));
    }
    u.accesses.push_back({scalar_space(id), iteration, write, update, under, kernel_.scalars[id].name});
  }

  void access(const Access& a, bool write, std::optional<Op> update, const std::string& under, const Place& place,
              Unit& u) {
    const Array& array = kernel_.arrays[a.array];
    const auto element = array.is_private ? fixed_element(a) : std::nullopt;
    if (element && privates_.is_private({true, a.array, *element})) return;
    std::string shown = array.name;
    for (const Quasi& q : a.subscripts) shown += "[" + to_string(q, kernel_) + "]";
    if (!a.indices.empty()) throw NotAffine{"'" + array.name + "' is indexed through another array", a.at};
    check_slots(a.subscripts, place, a.at, "the subscripts of '" + array.name + "'");
    u.accesses.push_back({fmt::format("A{}", a.array), linear_.subscripts(a), write, update, under, std::move(shown)});
  }

  static std::string condition(const Guard& guard) {
    if (guard.ratio) throw NotAffine{"a condition depends on data", guard.at};
    if (!guard.reads.empty()) throw NotAffine{"a condition reads an array", guard.at};
    std::string text;
    for (const Conjunction& c : guard.any_of) text += (text.empty() ? "(" : " or ") + isl_text::conjunction(c);
    return text.empty() ? "" : text + ")";
  }

  static void check_slots(const Quasi& q, const Place& place, const Position& at, const std::string& what) {
    const auto known = [&](Slot s) { return std::ranges::find(place.slots, s) != place.slots.end(); };
    for (const Term& t : q.terms) {
      if (!known(t.slot)) throw NotAffine{what + " depend on an index read from an array", at};
    }
    for (const Floor& f : q.floors) check_slots(f.inner, place, at, what);
  }
  static void check_slots(const std::vector<Quasi>& list, const Place& place, const Position& at,
                          const std::string& what) {
    for (const Quasi& q : list) check_slots(q, place, at, what);
  }

  const Kernel& kernel_;
  const Privates privates_;
  const Delinearization linear_;
  std::set<ScalarId> written_;
  AffineNests nests_;
};

}  // namespace

AffineNests affine_nests(const Kernel& kernel) { return Extractor(kernel).run(); }

std::vector<std::size_t> units_below(const Branch& branch) {
  if (branch.kind == Branch::Kind::unit) return {branch.unit};
  return units_below(branch.children);
}

std::vector<std::size_t> units_below(const std::vector<Branch>& branches) {
  std::vector<std::size_t> result;
  for (const Branch& b : branches) {
    for (const std::size_t u : units_below(b)) result.push_back(u);
  }
  return result;
}

Quasi copy_of(const Branch& copies, std::size_t unit) {
  return modulo(copies.value.at(unit) + Quasi(-copies.start), static_cast<Int>(copies.unroll));
}

std::string scalar_space(ScalarId id) { return fmt::format("X{}", id); }

bool holds_statement(const Unit& unit, const std::string& label) {
  bool found = false;
  visit_nodes(unit.nodes, [&](const Node& node) {
    const auto* s = std::get_if<Statement>(&node.is);
    found = found || (s != nullptr && s->label == label);
  });
  return found;
}

std::optional<std::size_t> unit_of(const AffineNests& nests, const std::string& statement) {
  for (std::size_t u = 0; u < nests.units.size(); ++u) {
    if (holds_statement(nests.units[u], statement)) return u;
  }
  return std::nullopt;
}

}  // namespace mansard
