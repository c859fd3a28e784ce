#include "study/tune_space.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace mansard {
namespace {

constexpr std::size_t deepest_band = 4;  // 24 orders

/// The longest chain of loops, each the only thing in the one around it.
void find_band(const std::vector<Node>& nodes, std::vector<std::string>& longest) {
  for (const Node& node : nodes) {
    const auto* loop = std::get_if<Loop>(&node.is);
    if (loop == nullptr) continue;
    std::vector<std::string> chain{loop->name};
    const Loop* last = loop;
    while (last->body.size() == 1 && std::holds_alternative<Loop>(last->body.front().is)) {
      last = &std::get<Loop>(last->body.front().is);
      chain.push_back(last->name);
    }
    if (chain.size() > longest.size()) longest = chain;
    find_band(loop->body, longest);
  }
}

std::set<ArrayId> loaded_arrays(const Kernel& kernel) {
  std::set<ArrayId> loaded;
  const auto value = [&](const auto& self, const Value& v) -> void {
    if (v.op == Op::load) loaded.insert(v.access.array);
    for (const Value& operand : v.operands) self(self, operand);
  };
  visit_nodes(kernel.nests, [&](const Node& node) {
    if (const auto* guard = std::get_if<Guard>(&node.is)) {
      for (const Value& v : guard->data) value(value, v);
    }
    const auto* s = std::get_if<Statement>(&node.is);
    if (s == nullptr) return;
    value(value, s->value);
    const auto* target = std::get_if<Access>(&s->target);
    if (target != nullptr && s->assign != Assign::set) loaded.insert(target->array);
  });
  return loaded;
}

}  // namespace

TuneSpace::TuneSpace(const Kernel& kernel) : tiles_{0, 8, 16, 32, 64, 128, 256, 512}, unrolls_{1, 2, 4, 6, 8} {
  find_band(kernel.nests, band_);
  if (band_.size() > deepest_band) band_.resize(deepest_band);
  std::vector<std::string> order = band_;
  std::ranges::sort(order);
  const bool distinct = std::ranges::adjacent_find(order) == order.end();
  if (!distinct) band_.clear();
  orders_.push_back(band_);
  if (band_.size() > 1) {
    do {
      if (order != band_) orders_.push_back(order);
    } while (std::ranges::next_permutation(order).found);
    sizes_.push_back(orders_.size());
  } else {
    sizes_.push_back(1);
  }
  for (std::size_t l = 0; l < band_.size(); ++l) sizes_.push_back(tiles_.size());
  for (std::size_t l = 0; l + 1 < band_.size(); ++l) sizes_.push_back(unrolls_.size());
  const std::set<ArrayId> loaded = loaded_arrays(kernel);
  std::set<ArrayId> stored;
  visit_nodes(kernel.nests, [&](const Node& node) {
    const auto* s = std::get_if<Statement>(&node.is);
    const auto* target = s == nullptr ? nullptr : std::get_if<Access>(&s->target);
    if (target != nullptr && !kernel.arrays[target->array].is_private) stored.insert(target->array);
  });
  for (const ArrayId a : stored) {
    if (loaded.contains(a)) continue;
    streams_.push_back(kernel.arrays[a].name);
    sizes_.push_back(2);
  }
}

double TuneSpace::size() const {
  double product = 1;
  for (const std::size_t n : sizes_) product *= static_cast<double>(n);
  return product;
}

std::vector<std::size_t> TuneSpace::by_promise() const {
  std::vector<std::size_t> order;
  const std::size_t first_stream = sizes_.size() - streams_.size();
  for (std::size_t a = first_stream; a < sizes_.size(); ++a) order.push_back(a);
  order.push_back(0);
  for (std::size_t a = band_.size(); a >= 1; --a) order.push_back(a);
  for (std::size_t a = band_.size() + 1; a < first_stream; ++a) order.push_back(a);
  return order;
}

std::string TuneSpace::schedule(const Point& point) const {
  std::vector<std::string> steps;
  const std::vector<std::string>& order = orders_[point[0]];
  std::size_t axis = 1;
  std::string tiles;
  for (const std::string& loop : order) {  // tile loops in the order of the loops
    const auto place = static_cast<std::size_t>(std::ranges::find(band_, loop) - band_.begin());
    const Int size = tiles_[point[axis + place]];
    if (size > 0) tiles += fmt::format("{}{}: {}", tiles.empty() ? "" : ", ", loop, size);
  }
  axis += band_.size();
  if (!tiles.empty()) steps.push_back("tile(" + tiles + ")");
  if (point[0] != 0) steps.push_back(fmt::format("order({})", fmt::join(order, ", ")));
  std::string unrolls;
  for (std::size_t l = 0; l + 1 < band_.size(); ++l) {
    const Int factor = unrolls_[point[axis + l]];
    if (factor > 1) unrolls += fmt::format("{}{}: {}", unrolls.empty() ? "" : ", ", order[l], factor);
  }
  axis += band_.empty() ? 0 : band_.size() - 1;
  if (!unrolls.empty()) steps.push_back("unroll_jam(" + unrolls + ")");
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    if (point[axis + s] == 1) steps.push_back("nontemporal(" + streams_[s] + ")");
  }
  return fmt::format("{}", fmt::join(steps, "; "));
}

}  // namespace mansard
