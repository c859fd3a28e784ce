#include "schedule/affine/delinearize.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <set>

namespace mansard {
namespace {

/// The stride that a floor belongs to: that of t where it makes t % d of it, c*t - c*d*floor(t/d).
Int stride_of(const Floor& floor, const Quasi& q) {
  const bool modulo = floor.coefficient % floor.divisor == 0 && std::ranges::any_of(q.terms, [&](const Term& t) {
                        return t.coefficient == -floor.coefficient / floor.divisor;
                      });
  return modulo ? floor.coefficient / floor.divisor : floor.coefficient;
}

/// The multiples of each stride in an expression; constants go where they are nearest to a multiple.
std::vector<Quasi> parts(const Quasi& q, const std::vector<Int>& strides) {
  std::vector<Quasi> result(strides.size());
  const auto place = [&](Int coefficient) {
    return static_cast<std::size_t>(
        std::ranges::find_if(strides, [coefficient](Int s) { return coefficient % s == 0; }) - strides.begin());
  };
  for (const Term& t : q.terms) {
    const std::size_t p = place(t.coefficient);
    result[p] += Quasi::of_slot(t.slot) * (t.coefficient / strides[p]);
  }
  for (const Floor& f : q.floors) {
    const std::size_t p = place(stride_of(f, q));
    result[p] += floor_div(f.inner, f.divisor) * (f.coefficient / strides[p]);
  }
  Int rest = q.constant;
  for (std::size_t p = 0; p < strides.size(); ++p) {
    const Int multiple = floor_div(rest + strides[p] / 2, strides[p]);
    result[p] += Quasi(multiple);
    rest -= multiple * strides[p];
  }
  return result;
}

/// Visits the accesses of one-dimensional arrays with the ranges of the loops around.
class Visitor {
 public:
  using Function = std::function<void(const Access&, std::span<const Interval>)>;
  Visitor(const Kernel& kernel, Function function)
      : kernel_(kernel), function_(std::move(function)), ranges_(kernel.slots.size(), everything) {}

  void nodes(const std::vector<Node>& list) {
    for (const Node& node : list) {
      if (const auto* loop = std::get_if<Loop>(&node.is)) {
        ranges_[loop->slot] = loop->reads.empty() ? values_of(*loop) : everything;
        nodes(loop->body);
      }
      if (const auto* guard = std::get_if<Guard>(&node.is)) {
        for (const Value& v : guard->data) value(v);
        nodes(guard->body);
      }
      if (const auto* s = std::get_if<Statement>(&node.is)) {
        value(s->value);
        if (const auto* target = std::get_if<Access>(&s->target)) access(*target);
      }
    }
  }

 private:
  static constexpr Interval everything{-(Int{1} << 50U), Int{1} << 50U};

  [[nodiscard]] Interval values_of(const Loop& loop) const {
    Interval values = everything;
    for (const Quasi& q : loop.lower) values.low = std::max(values.low, range(q, ranges_).low);
    for (const Quasi& q : loop.upper) values.high = std::min(values.high, range(q, ranges_).high);
    return values.low <= values.high ? values : Interval{values.low, values.low};
  }
  void value(const Value& v) {
    if (v.op == Op::load) access(v.access);
    for (const Value& operand : v.operands) value(operand);
  }
  void access(const Access& a) {
    if (kernel_.arrays[a.array].extents.size() == 1) function_(a, ranges_);
  }

  const Kernel& kernel_;
  Function function_;
  std::vector<Interval> ranges_;
};

}  // namespace

Delinearization::Delinearization(const Kernel& kernel) {
  std::map<ArrayId, std::set<Int, std::greater<>>> strides;
  std::set<ArrayId> not_apart;
  Visitor(kernel, [&](const Access& a, std::span<const Interval>) {
    if (!a.indices.empty()) not_apart.insert(a.array);
    auto& mine = strides[a.array];
    for (const Term& t : a.subscripts.front().terms) mine.insert(std::abs(t.coefficient));
    for (const Floor& f : a.subscripts.front().floors) mine.insert(std::abs(stride_of(f, a.subscripts.front())));
    mine.insert(1);
  }).nodes(kernel.nests);
  for (const auto& [array, set] : strides) {
    std::vector<Int> list(set.begin(), set.end());
    bool chain = list.size() > 1;
    for (std::size_t s = 1; s < list.size(); ++s) chain = chain && list[s] > 0 && list[s - 1] % list[s] == 0;
    if (chain && !not_apart.contains(array)) strides_[array] = std::move(list);
  }
  Visitor(kernel, [&](const Access& a, std::span<const Interval> ranges) {
    const auto found = strides_.find(a.array);
    if (found == strides_.end()) return;
    const std::vector<Quasi> taken = parts(a.subscripts.front(), found->second);
    for (std::size_t p = 1; p < taken.size(); ++p) {
      const Interval values = range(taken[p], ranges);
      if (values.low >= 0 && values.high < found->second[p - 1] / found->second[p]) continue;
      strides_.erase(found);
      return;
    }
  }).nodes(kernel.nests);
}

std::vector<Quasi> Delinearization::subscripts(const Access& access) const {
  const auto found = strides_.find(access.array);
  return found == strides_.end() ? access.subscripts : parts(access.subscripts.front(), found->second);
}

}  // namespace mansard
