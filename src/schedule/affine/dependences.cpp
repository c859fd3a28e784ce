#include "schedule/affine/dependences.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/affine/isl.hpp"
#include "schedule/affine/isl_text.hpp"

namespace mansard {
namespace {

using Order = std::map<std::size_t, std::vector<Quasi>>;  ///< per unit: its place in the tree

void collect(const std::vector<Branch>& branches, const std::map<std::size_t, std::vector<Quasi>>& above,
             Order& order) {
  for (std::size_t b = 0; b < branches.size(); ++b) {
    const Branch& branch = branches[b];
    Order here;
    for (const std::size_t u : units_below(branch)) {
      const auto outer = above.find(u);
      std::vector<Quasi> place = outer == above.end() ? std::vector<Quasi>{} : outer->second;
      place.emplace_back(static_cast<Int>(b));
      if (branch.kind == Branch::Kind::loop) place.push_back(branch.value.at(u));
      here[u] = std::move(place);
    }
    if (branch.kind == Branch::Kind::unit) order[branch.unit] = here.at(branch.unit);
    if (branch.kind == Branch::Kind::loop) collect(branch.children, here, order);
  }
}

std::vector<Quasi> padded(std::vector<Quasi> place, std::size_t length) {
  place.resize(length);
  return place;
}

}  // namespace

struct Dependences::State {
  State(const Kernel& k, const AffineNests& n) : kernel(k), nests(n) {}

  const Kernel& kernel;
  const AffineNests& nests;
  IslContext context;
  bool reassociate = false;
  std::map<std::pair<std::size_t, std::size_t>, isl::map> conflicts;  ///< from the earlier to the later execution

  template <class Work>
  auto guarded(const Position& at, const Work& work) {
    isl_ctx_reset_operations(context.get().get());
    try {
      return work();
    } catch (const isl::exception_quota&) {
      throw InputError(at, "the dependences of this nest are too complex to be worked out");
    } catch (const isl::exception& error) {
      throw InputError(at, std::string("the dependences of this nest cannot be worked out: ") + error.what());
    }
  }

  isl::map map(const std::string& text) const { return isl::map(context.get(), text); }

  isl::map access_map(std::size_t unit, const UnitAccess& a) const {
    std::string text = fmt::format("{{ {} -> {}[{}] : {}", isl_text::tuple(nests, unit), a.space,
                                   isl_text::list(a.subscripts), nests.units[unit].domain);
    if (!a.condition.empty()) text += " and " + a.condition;
    return map(text + " }");
  }

  bool may_conflict(const UnitAccess& a, const UnitAccess& b) const {
    if (a.space != b.space || (!a.write && !b.write)) return false;
    return !(reassociate && a.update && a.update == b.update);
  }

  /// (u, v) pairs that run in the order of two places.
  isl::map before(std::size_t u, const std::vector<Quasi>& first, std::size_t v, const std::vector<Quasi>& second,
                  bool strictly) const {
    const std::size_t length = std::max(first.size(), second.size());
    const isl::map a = map(isl_text::map(nests, u, padded(first, length)));
    const isl::map b = map(isl_text::map(nests, v, padded(second, length)));
    return isl::manage(strictly ? isl_map_lex_lt_map(a.copy(), b.copy()) : isl_map_lex_le_map(a.copy(), b.copy()));
  }

  const isl::map& conflict(std::size_t u, std::size_t v) {
    const auto known = conflicts.find({u, v});
    if (known != conflicts.end()) return known->second;
    return conflicts.emplace(std::pair{u, v}, conflict_outside(u, v, {})).first->second;
  }

  /// Elements of the spaces in `own` left out.
  isl::map conflict_outside(std::size_t u, std::size_t v, const std::set<std::string>& own) const {
    // Accesses of one kind to one array are joined first: a 27-point stencil has 27 reads and one write.
    isl::map pairs;
    for (const bool writes : {true, false}) {
      for (const UnitAccess& b : nests.units[v].accesses) {
        isl::map joined;
        for (const UnitAccess& a : nests.units[u].accesses) {
          if (a.write != writes || !may_conflict(a, b) || own.contains(a.space)) continue;
          const isl::map one = access_map(u, a);
          joined = joined.is_null() ? one : joined.unite(one);
        }
        if (joined.is_null()) continue;
        const isl::map same = joined.apply_range(access_map(v, b).reverse());
        pairs = pairs.is_null() ? same : pairs.unite(same);
      }
    }
    const isl::map order = before(u, nests.units[u].order, v, nests.units[v].order, true);
    return pairs.is_null() ? isl::map::empty(order.space()) : pairs.intersect(order).coalesce();
  }

  std::string describe(std::size_t u, std::size_t v, const isl::map& broken) const {
    const Unit& first = nests.units[u];
    const Unit& second = nests.units[v];
    std::string text = fmt::format("{} and {}", first.label, second.label);
    for (const UnitAccess& a : first.accesses) {
      const auto b = std::ranges::find_if(second.accesses, [&](const UnitAccess& other) {
        return may_conflict(a, other) &&
               !broken.intersect(access_map(u, a).apply_range(access_map(v, other).reverse())).is_empty();
      });
      if (b == second.accesses.end()) continue;
      text = fmt::format("{} {} {}, and later {} {} the same element as {}", first.label, a.write ? "writes" : "reads",
                         a.shown, u == v ? "another iteration" : second.label, b->write ? "writes" : "reads", b->shown);
      break;
    }
    return text + distance(first, second, broken);
  }

  std::string distance(const Unit& first, const Unit& second, const isl::map& broken) const {
    std::size_t common = 0;
    while (common < std::min(first.iterators.size(), second.iterators.size()) &&
           first.iterators[common] == second.iterators[common]) {
      ++common;
    }
    if (common == 0) return "";
    const auto rest = [&](const Unit& unit) { return static_cast<unsigned>(unit.iterators.size() - common); };
    const auto from = static_cast<unsigned>(common);
    isl_map* shared = broken.copy();
    shared = isl_map_project_out(shared, isl_dim_in, from, rest(first));
    shared = isl_map_project_out(shared, isl_dim_out, from, rest(second));
    shared = isl_map_reset_tuple_id(isl_map_reset_tuple_id(shared, isl_dim_in), isl_dim_out);
    const isl::set deltas = isl::manage(shared).deltas();
    const isl::point nearest = deltas.lexmin().sample_point();
    std::string text;
    for (std::size_t d = 0; d < common; ++d) {
      const isl::val x = isl::manage(isl_point_get_coordinate_val(nearest.get(), isl_dim_set, static_cast<int>(d)));
      text += fmt::format("{}{}: {}", text.empty() ? " (distance " : ", ", kernel.slots[first.iterators[d]],
                          isl_val_get_num_si(x.get()));
    }
    return text + ")";
  }
};

Dependences::Dependences(const Kernel& kernel, const AffineNests& nests)
    : state_(std::make_unique<State>(kernel, nests)) {}
Dependences::~Dependences() = default;

void Dependences::allow_reassociation() {
  state_->reassociate = true;
  state_->conflicts.clear();
}

std::optional<std::string> Dependences::broken_by(const std::vector<Branch>& branches, const Position& at) {
  State& s = *state_;
  return s.guarded(at, [&]() -> std::optional<std::string> {
    Order order;
    collect(branches, {}, order);
    for (const auto& [u, first] : order) {
      for (const auto& [v, second] : order) {
        const isl::map& conflict = s.conflict(u, v);
        if (conflict.is_empty()) continue;
        const isl::map broken = conflict.intersect(s.before(v, second, u, first, false).reverse());
        if (!broken.is_empty()) return s.describe(u, v, broken) + "; this order would swap the two";
      }
    }
    return std::nullopt;
  });
}

bool Dependences::never_backwards(const std::vector<std::size_t>& units,
                                  const std::vector<std::map<std::size_t, Quasi>>& loops, const Position& at) {
  State& s = *state_;
  return s.guarded(at, [&] {
    for (const std::size_t u : units) {
      for (const std::size_t v : units) {
        if (s.conflict(u, v).is_empty()) continue;
        for (const auto& value : loops) {
          const isl::map backwards = s.before(v, {value.at(v)}, u, {value.at(u)}, true).reverse();
          if (!s.conflict(u, v).is_disjoint(backwards)) return false;
        }
      }
    }
    return true;
  });
}

std::optional<std::string> Dependences::carried_by(const std::vector<const Branch*>& loops,
                                                   const std::set<std::string>& own, const Position& at) {
  State& s = *state_;
  return s.guarded(at, [&]() -> std::optional<std::string> {
    const Branch& carrier = *loops.back();
    const auto around = [&](std::size_t unit) {
      std::vector<Quasi> values;
      for (std::size_t l = 0; l + 1 < loops.size(); ++l) values.push_back(loops[l]->value.at(unit));
      return s.map(isl_text::map(s.nests, unit, values));
    };
    const std::vector<std::size_t> units = units_below(carrier);
    for (const std::size_t u : units) {
      for (const std::size_t v : units) {
        isl::map broken = s.conflict_outside(u, v, own);
        if (broken.is_empty()) continue;
        const std::vector<Quasi> first{carrier.value.at(u)};
        const std::vector<Quasi> second{carrier.value.at(v)};
        const isl::map apart = s.before(u, first, v, second, true).unite(s.before(v, second, u, first, true).reverse());
        broken = broken.intersect(around(u).apply_range(around(v).reverse())).intersect(apart);
        if (!broken.is_empty()) return s.describe(u, v, broken);
      }
    }
    return std::nullopt;
  });
}

std::optional<std::pair<Int, Int>> Dependences::range_of(std::size_t unit, const Quasi& value, const Position& at) {
  State& s = *state_;
  return s.guarded(at, [&]() -> std::optional<std::pair<Int, Int>> {
    const isl::set values = s.map(isl_text::map(s.nests, unit, {value})).range();
    if (values.is_empty()) return std::nullopt;
    const auto number = [](const isl::val& v) { return static_cast<Int>(isl_val_get_num_si(v.get())); };
    return std::pair{number(values.dim_min_val(0)), number(values.dim_max_val(0))};
  });
}

}  // namespace mansard
