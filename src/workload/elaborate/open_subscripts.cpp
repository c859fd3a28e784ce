#include "workload/elaborate/open_subscripts.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "workload/elaborate/ranges.hpp"

namespace mansard {
namespace {

constexpr Int far = Int{1} << 40;

class Prover {
 public:
  explicit Prover(const Kernel& kernel)
      : kernel_(kernel), ranges_(kernel.slots.size(), Interval{-far, far}), defined_(kernel.slots.size(), 0) {
    visit_nodes(kernel.nests, [this](const Node& node) {
      if (const auto* d = std::get_if<Define>(&node.is)) ++defined_[d->slot];
    });
  }

  OpenSubscripts run() {
    walk(kernel_.nests);
    return std::move(open_);
  }

 private:
  void walk(const std::vector<Node>& nodes) {
    std::vector<std::pair<Slot, Interval>> before;
    for (const Node& node : nodes) {
      if (const auto* d = std::get_if<Define>(&node.is)) {
        before.emplace_back(d->slot, ranges_[d->slot]);
        if (d->table) check({*d->table, &d->subscripts, &d->at});
        define(*d);
      }
      if (const auto* s = std::get_if<Statement>(&node.is)) {
        visit_statement(*s, [this](const Subscripted& a) { check(a); }, [this](const Define& d) { define(d); });
      }
      if (const auto* loop = std::get_if<Loop>(&node.is)) walk_loop(*loop);
      if (const auto* guard = std::get_if<Guard>(&node.is)) {
        reads(guard->reads);
        for (const Value& v : guard->data) {
          visit_value(v, [this](const Subscripted& a) { check(a); }, [this](const Define& d) { define(d); });
        }
        const auto saved =
            guard->any_of.size() == 1 ? refine(guard->any_of[0], ranges_) : std::vector<std::pair<Slot, Interval>>{};
        walk(guard->body);
        restore(saved, ranges_);
      }
    }
    restore(before, ranges_);  // outside its block a value may be from any time
  }

  void walk_loop(const Loop& loop) {
    reads(loop.reads);
    Interval r{std::numeric_limits<Int>::min(), std::numeric_limits<Int>::max()};
    for (const Quasi& q : loop.lower) r.low = std::max(r.low, tight_range(q, ranges_).low);
    for (const Quasi& q : loop.upper) r.high = std::min(r.high, tight_range(q, ranges_).high);
    if (r.low > r.high) return;  // never runs
    ranges_[loop.slot] = r;
    walk(loop.body);
  }

  void reads(const std::vector<Define>& list) {
    visit_reads(list, [this](const Subscripted& a) { check(a); }, [this](const Define& d) { define(d); });
  }
  void define(const Define& d) {
    Interval r{-far, far};
    if (d.table) {
      const auto [place, is_new] = contents_.try_emplace(*d.table);
      if (is_new) {
        const auto [low, high] = std::ranges::minmax(*kernel_.arrays[*d.table].data);
        place->second = {low, high};
      }
      r = place->second;
    } else {
      r = tight_range(d.subscripts[0], ranges_);
    }
    if (defined_[d.slot] <= 1) ranges_[d.slot] = r;
  }

  void check(const Subscripted& a) {
    const Array& array = kernel_.arrays[a.array];
    for (std::size_t i = 0; i < a.subscripts->size(); ++i) {
      const Quasi& q = (*a.subscripts)[i];
      const Interval r = tight_range(q, ranges_);
      if (r.low < 0 || r.high >= array.extents[i]) open_.insert(&q);
    }
  }

  const Kernel& kernel_;
  std::vector<Interval> ranges_;
  std::vector<unsigned> defined_;  ///< by how many nodes each slot is defined
  std::map<ArrayId, Interval> contents_;
  OpenSubscripts open_;
};

}  // namespace

OpenSubscripts open_subscripts(const Kernel& kernel) { return Prover(kernel).run(); }

}  // namespace mansard
