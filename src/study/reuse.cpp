#include "study/reuse.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

namespace mansard {
namespace {

struct Inner {
  Slot slot;
  Int trips, step;
};

class Finder {
 public:
  Finder(const Kernel& kernel, const Program& program, std::uint32_t line)
      : kernel_(kernel), line_(line), ranges_(program.slots, Interval{0, 0}) {}

  void nest(const Nest& nest) {
    name_ = nest.name;
    visit(nest.nodes);
  }
  std::vector<LoopReuse> found;

 private:
  /// Largest number of iterations, by the ranges of the loops around; 0 if it never runs.
  Int trips_of(const StreamLoop& loop) {
    Interval values{-(Int{1} << 40U), Int{1} << 40U};
    for (const Quasi& q : loop.lower) values.low = std::max(values.low, range(q, ranges_).low);
    for (const Quasi& q : loop.upper) values.high = std::min(values.high, range(q, ranges_).high);
    Int span = values.high - values.low;
    for (const Quasi& low : loop.lower) {  // a tile: bounds that move together
      for (const Quasi& high : loop.upper) {
        const Quasi difference = high - low;
        if (difference.is_constant()) span = std::min(span, difference.constant);
      }
    }
    ranges_[loop.slot] = values;
    return span < 0 ? 0 : span / std::abs(loop.step) + 1;
  }

  /// Different values of a loop's variable while the loops in `inner` run and those outside stand still: a loop within
  /// a tile runs through all tiles if the loop over tiles is among them.
  Int values_of(const StreamLoop& loop, const std::vector<Inner>& inner) const {
    const auto extreme = [&](Quasi q, bool most) {
      for (const Inner& l : inner) {
        const Int c = q.coefficient(l.slot);
        if (c != 0) q = q.substitute(l.slot, Quasi((c > 0) == most ? ranges_[l.slot].high : ranges_[l.slot].low));
      }
      return q;
    };
    Int span = ranges_[loop.slot].high - ranges_[loop.slot].low;
    for (const Quasi& low : loop.lower) {
      for (const Quasi& high : loop.upper) {
        const Quasi difference = extreme(high, true) - extreme(low, false);
        if (difference.is_constant()) span = std::min(span, difference.constant);
      }
    }
    return span < 0 ? 0 : span / std::abs(loop.step) + 1;
  }

  /// The loops below, each entered for its trips; refs below with their loops.
  void visit(const std::vector<StreamNode>& nodes) {
    for (const StreamNode& node : nodes) {
      if (const auto* guard = std::get_if<StreamGuard>(&node.is)) visit(guard->body);
      const auto* loop = std::get_if<StreamLoop>(&node.is);
      if (loop == nullptr) continue;
      const Int trips = trips_of(*loop);
      if (trips == 0) continue;
      iterations_ *= static_cast<double>(trips);
      visit(loop->body);
      footprints_.clear();
      bases_.clear();
      inner_.clear();
      std::vector<Inner> inner;
      touched(*loop, inner);
      LoopReuse reuse;
      reuse.slot = loop->slot;
      reuse.nest = name_;
      reuse.loop = kernel_.slots[loop->slot];
      reuse.iterations = iterations_;
      if (!inner_.empty()) {
        reuse.inner = kernel_.slots[inner_.front().slot];
        reuse.inner_trips = static_cast<std::uint64_t>(inner_.front().trips);
      }
      for (const auto& [key, residuals] : footprints_) {
        const double bytes = static_cast<double>(residuals.size()) * key.second;
        reuse.bytes += bytes;
        reuse.arrays[key.first] += bytes;
      }
      found.push_back(std::move(reuse));
      iterations_ /= static_cast<double>(trips);
    }
  }

  void touched(const StreamLoop& loop, std::vector<Inner>& inner) {
    for (const auto* part : {&loop.before, &loop.body, &loop.after}) {
      for (const StreamNode& node : *part) touched(node, inner);
    }
  }
  void touched(const StreamNode& node, std::vector<Inner>& inner) {
    if (const auto* body = std::get_if<Body>(&node.is)) {
      for (const StreamRef& ref : body->refs) add(ref, inner);
    }
    if (const auto* guard = std::get_if<StreamGuard>(&node.is)) {
      for (const StreamNode& n : guard->body) touched(n, inner);
    }
    if (const auto* loop = std::get_if<StreamLoop>(&node.is)) {
      const Int trips = trips_of(*loop);
      if (trips == 0) return;
      inner.push_back({loop->slot, std::max(trips, values_of(*loop, inner)), loop->step});
      if (inner.size() > inner_.size()) inner_ = inner;
      touched(*loop, inner);
      inner.pop_back();
    }
  }

  /// The box that the inner loops span, and what is left of the constant once shifts within the box are taken off.
  void add(const StreamRef& ref, std::vector<Inner> inner) {
    const auto stride = [&](const Inner& l) { return std::abs(ref.address.coefficient(l.slot) * l.step); };
    std::erase_if(inner, [&](const Inner& l) { return stride(l) == 0; });
    std::ranges::sort(inner, [&](const Inner& a, const Inner& b) { return stride(a) > stride(b); });
    double bytes = ref.bytes;
    Int constant = ref.address.constant;
    for (std::size_t n = 0; n < inner.size(); ++n) {
      const Inner& l = inner[n];
      bytes *= static_cast<double>(l.trips);
      // Which place along this loop: what the loops below it span may lie to either side.
      const Int below = n + 1 < inner.size() ? std::min(stride(l), stride(inner[n + 1]) * inner[n + 1].trips) / 2 : 0;
      const Int shift = floor_div(constant + below, stride(l));
      constant -= std::abs(shift - base_shift(ref.array, l.slot, shift)) < l.trips ? shift * stride(l) : 0;
    }
    if (!inner.empty() && stride(inner.back()) > ref.bytes) {
      // Elements far apart bring their lines; those of one line are one.
      const Int whole = std::min<Int>(stride(inner.back()), line_);
      bytes *= static_cast<double>(whole) / ref.bytes;
      constant = floor_div(constant, whole);
    }
    footprints_[{ref.array, bytes}].insert(constant);
  }
  /// Shifts are measured against those of the first reference to the array.
  Int base_shift(std::uint16_t array, Slot slot, Int shift) {
    return bases_.try_emplace({array, slot}, shift).first->second;
  }

  const Kernel& kernel_;
  Int line_;
  double iterations_ = 1;
  std::string name_;
  std::vector<Interval> ranges_;
  std::map<std::pair<std::uint16_t, double>, std::set<Int>> footprints_;  ///< {array, bytes of a box}: places
  std::map<std::pair<std::uint16_t, Slot>, Int> bases_;
  std::vector<Inner> inner_;  ///< the deepest chain of loops inside
};

}  // namespace

std::vector<LoopReuse> loop_reuse(const Kernel& kernel, const Program& program, std::uint32_t line_bytes) {
  Finder finder(kernel, program, line_bytes);
  for (const Nest& nest : program.nests) finder.nest(nest);
  return std::move(finder.found);
}

}  // namespace mansard
