// Enumeration of the iterations on which the open subscripts depend. Loops that they do not depend on run once.
#include "workload/elaborate/bounds_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "workload/elaborate/open_subscripts.hpp"

namespace mansard {
namespace {

struct OutOfBudget {};

class Enumerator {
 public:
  Enumerator(const Kernel& kernel, const OpenSubscripts& open, std::uint64_t budget)
      : kernel_(kernel),
        open_(open),
        budget_(budget),
        environment_(kernel.slots.size(), 0),
        matters_(kernel.slots.size(), false),
        read_(kernel.slots.size()),
        position_(kernel.slots.size(), 0) {
    close();
  }
  void run() { walk(kernel_.nests); }

 private:
  // ---- what has to be executed: the closure of the open subscripts over definitions, bounds and conditions
  void close() {
    std::size_t before = 0;
    do {
      before = count_;
      mark(kernel_.nests, {});
    } while (count_ != before);
  }

  /// Whether anything in these nodes has to be executed; `around` are the loops and guards outside.
  bool mark(const std::vector<Node>& nodes, const std::vector<const Node*>& around) {
    bool any = false;
    for (const Node& node : nodes) {
      bool needed = false;
      const auto on_access = [&](const Subscripted& a) {
        for (const Quasi& q : *a.subscripts) {
          if (!open_.contains(&q)) continue;
          needed = true;
          need(q);
        }
      };
      const auto on_define = [&](const Define& d) {
        if (!matters_[d.slot]) return;
        needed = true;
        for (const Quasi& q : d.subscripts) need(q);
      };
      std::vector<const Node*> inner = around;
      inner.push_back(&node);
      if (const auto* s = std::get_if<Statement>(&node.is)) visit_statement(*s, on_access, on_define);
      if (const auto* d = std::get_if<Define>(&node.is)) {
        if (d->table) on_access({*d->table, &d->subscripts, &d->at});
        on_define(*d);
        if (needed) carried(around);
      }
      if (const auto* loop = std::get_if<Loop>(&node.is)) {
        visit_reads(loop->reads, on_access, on_define);
        needed = mark(loop->body, inner) || needed;
        if (needed) needs(*loop);
      }
      if (const auto* guard = std::get_if<Guard>(&node.is)) {
        visit_reads(guard->reads, on_access, on_define);
        for (const Value& v : guard->data) visit_value(v, on_access, on_define);
        needed = mark(guard->body, inner) || needed;
        if (needed) needs(*guard);
      }
      if (needed && execute_.insert(&node).second) ++count_;
      any = any || needed;
    }
    return any;
  }
  void need(const Quasi& q) {
    for (const Term& t : q.terms) need(t.slot);
    for (const Floor& f : q.floors) need(f.inner);
  }
  void need(Slot s) {
    if (!matters_[s]) matters_[s] = true, ++count_;
  }
  void needs(const Loop& loop) {
    for (const Quasi& q : loop.lower) need(q);
    for (const Quasi& q : loop.upper) need(q);
  }
  void needs(const Guard& guard) {
    for (const Conjunction& c : guard.any_of) {
      for (const Quasi& q : c) need(q);
    }
  }
  /// The value of a define node may be used in a later iteration: how often it ran counts.
  void carried(const std::vector<const Node*>& around) {
    for (const Node* node : around) {
      if (const auto* loop = std::get_if<Loop>(&node->is)) need(loop->slot);
    }
  }

  // ---- execution
  void walk(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      if (!execute_.contains(&node)) continue;
      step();
      if (const auto* s = std::get_if<Statement>(&node.is)) statement(*s);
      if (const auto* d = std::get_if<Define>(&node.is)) read(*d);
      if (const auto* loop = std::get_if<Loop>(&node.is)) walk_loop(*loop);
      if (const auto* guard = std::get_if<Guard>(&node.is)) walk_guard(*guard);
    }
  }
  void step() {
    if (budget_-- == 0) throw OutOfBudget{};
  }

  void statement(const Statement& s) {
    visit_statement(s, [this](const Subscripted& a) { check(a); }, [this](const Define& d) { define(d); });
  }
  void read(const Define& d) {
    if (d.table) check({*d.table, &d.subscripts, &d.at});
    define(d);
  }
  void walk_guard(const Guard& guard) {
    for (const Define& d : guard.reads) read(d);
    for (const Value& v : guard.data) {
      visit_value(v, [this](const Subscripted& a) { check(a); }, [this](const Define& d) { define(d); });
    }
    const auto holds = [this](const Conjunction& c) {
      return std::ranges::all_of(c, [this](const Quasi& q) { return q.at(environment_) >= 0; });
    };
    if (guard.any_of.empty() || std::ranges::any_of(guard.any_of, holds)) walk(guard.body);
  }
  void walk_loop(const Loop& loop) {
    for (const Define& d : loop.reads) read(d);
    Int first = loop.lower[0].at(environment_);
    Int last = loop.upper[0].at(environment_);
    for (const Quasi& q : loop.lower) first = std::max(first, q.at(environment_));
    for (const Quasi& q : loop.upper) last = std::min(last, q.at(environment_));
    if (first > last) return;
    const Int trips = (last - first) / std::abs(loop.step) + 1;
    const Int start = loop.step > 0 ? first : last;
    loops_.push_back(&loop);
    if (matters_[loop.slot]) {
      const Int stride = ends_suffice(loop) && trips > 1 ? trips - 1 : 1;
      for (Int n = 0; n < trips; n += stride) {
        environment_[loop.slot] = start + n * loop.step;
        step();
        walk(loop.body);
      }
    } else {
      environment_[loop.slot] = start;
      walk(loop.body);
    }
    loops_.pop_back();
  }

  /// Affine subscripts without tables are largest and smallest at the ends of the innermost loop.
  bool ends_suffice(const Loop& loop) {
    const auto [place, is_new] = ends_.try_emplace(&loop, true);
    if (!is_new) return place->second;
    bool suffice = true;
    for (const Node& node : loop.body) {
      if (!execute_.contains(&node)) continue;
      const auto* s = std::get_if<Statement>(&node.is);
      if (!s) suffice = false;
      if (s) {
        visit_statement(
            *s,
            [&](const Subscripted& a) {
              suffice = suffice && std::ranges::all_of(*a.subscripts, [&](const Quasi& q) {
                          return !open_.contains(&q) || q.is_affine() || !q.uses(loop.slot);
                        });
            },
            [&](const Define&) { suffice = false; });
      }
    }
    return place->second = suffice;
  }

  void define(const Define& d) {
    if (!d.table) {
      environment_[d.slot] = d.subscripts[0].at(environment_);
      return;
    }
    const Array& table = kernel_.arrays[*d.table];
    Int flat = 0;
    for (std::size_t i = 0; i < d.subscripts.size(); ++i) {
      const Int at = d.subscripts[i].at(environment_);
      if (at < 0 || at >= table.extents[i]) return;  // not needed, else it was checked: keeps the slot's value
      flat = flat * table.extents[i] + at;
    }
    environment_[d.slot] = (*table.data)[static_cast<std::size_t>(flat)];
    read_[d.slot] = d.table;
    position_[d.slot] = flat;
  }

  void check(const Subscripted& a) {
    const Array& array = kernel_.arrays[a.array];
    for (std::size_t i = 0; i < a.subscripts->size(); ++i) {
      const Quasi& q = (*a.subscripts)[i];
      if (!open_.contains(&q)) continue;
      const Int value = q.at(environment_);
      if (value < 0 || value >= array.extents[i]) fail(a, i, value);
    }
  }

  [[noreturn]] void fail(const Subscripted& a, std::size_t dimension, Int value) const {
    const Array& array = kernel_.arrays[a.array];
    const Quasi& q = (*a.subscripts)[dimension];
    std::string text = fmt::format("subscript {} of '{}' is {}: expected 0 to {}", dimension + 1, array.name, value,
                                   array.extents[dimension] - 1);
    for (const Term& t : q.terms) {
      if (!read_[t.slot]) continue;
      text += fmt::format("; the index table '{}' holds {} at position {}", kernel_.arrays[*read_[t.slot]].name,
                          environment_[t.slot], position_[t.slot]);
    }
    std::string where;
    for (const Loop* loop : loops_) {
      if (!matters_[loop->slot]) continue;
      where += fmt::format("{}{} = {}", where.empty() ? "for " : ", ", loop->name, environment_[loop->slot]);
    }
    throw InputError({Diagnostic{*a.at, {}, text, where}});
  }

  const Kernel& kernel_;
  const OpenSubscripts& open_;
  std::uint64_t budget_;
  std::vector<Int> environment_;
  std::vector<bool> matters_;  ///< slots whose value the open subscripts depend on
  std::set<const Node*> execute_;
  std::size_t count_ = 0;                     ///< of what is marked: the closure is done when it stays
  std::vector<std::optional<ArrayId>> read_;  ///< the table a slot was read from, and where
  std::vector<Int> position_;
  std::map<const Loop*, bool> ends_;
  std::vector<const Loop*> loops_;
};

}  // namespace

void check_bounds(Kernel& kernel, std::uint64_t budget) {
  const OpenSubscripts open = open_subscripts(kernel);
  if (open.empty()) return;
  try {
    Enumerator(kernel, open, budget).run();
  } catch (const OutOfBudget&) {
    kernel.warnings.push_back(
        fmt::format("the check that no subscript leaves its array was given up after {} steps", budget));
  }
}

}  // namespace mansard
