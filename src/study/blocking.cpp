#include "study/blocking.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "schedule/unroll.hpp"

namespace mansard {
namespace {

constexpr Int padding = 16;  // elements: two lines of doubles

std::string blocks(const std::vector<Blocking::Block>& list) {
  std::string text;
  for (const auto& [loop, size] : list) text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", loop, size);
  return text;
}

const Blocking::Block* block_of(const std::vector<Blocking::Block>& list, const std::string& loop) {
  const auto found = std::ranges::find(list, loop, &Blocking::Block::loop);
  return found == list.end() ? nullptr : &*found;
}

bool holds_loops(const std::vector<Node>& nodes) {
  return std::ranges::any_of(nodes, [](const Node& node) {
    const auto* guard = std::get_if<Guard>(&node.is);
    return std::holds_alternative<Loop>(node.is) || (guard != nullptr && holds_loops(guard->body));
  });
}

/// The loops of one nest, taken apart and put together again.
class Nested {
 public:
  Nested(Kernel& kernel, const Blocking& blocking)
      : kernel_(kernel), blocking_(blocking), ranges_(kernel.slots.size(), Interval{0, 0}) {}

  /// False where the band is not at the top of this nest, or more than the band would have to be rewritten.
  bool take(const Loop& top, const std::vector<std::string>& band) {
    const Loop* loop = &top;
    for (std::size_t l = 0; l < band.size(); ++l) {
      if (loop == nullptr || loop->name != band[l] || loop->step != 1 || !loop->reads.empty()) return false;
      Interval values{range(loop->lower.front(), ranges_).low, range(loop->upper.front(), ranges_).high};
      for (const Quasi& q : loop->lower) values.low = std::max(values.low, range(q, ranges_).low);
      for (const Quasi& q : loop->upper) values.high = std::min(values.high, range(q, ranges_).high);
      ranges_[loop->slot] = values;
      loops_.push_back(*loop);
      body_ = loop->body;
      loop = loop->body.size() == 1 ? std::get_if<Loop>(&loop->body.front().is) : nullptr;
    }
    for (Loop& l : loops_) l.body.clear();
    return blocking_.unrolls.empty() || !holds_loops(body_);  // else copies move into loops further in
  }

  Loop rebuilt() {
    std::vector<Loop> chain;
    for (const auto& [name, size] : blocking_.tiles) {
      Loop tile = widest(loop_of(name));
      tile.name = name + "t";
      tile.slot = new_slot(tile.name);
      tile.step = size;
      loop_of(name).lower.push_back(Quasi::of_slot(tile.slot));
      loop_of(name).upper.push_back(Quasi::of_slot(tile.slot) + Quasi(size - 1));
      chain.push_back(std::move(tile));
    }
    std::vector<Slot> open;
    std::vector<Loop> points;
    for (const std::string& name : order()) {
      Loop loop = bounded(loop_of(name), open);
      if (const auto* unrolled = block_of(blocking_.unrolls, name)) {
        Loop point = loop;
        loop.slot = new_slot(name);
        loop.step = unrolled->size;
        point.lower = {Quasi::of_slot(loop.slot)};  // as if whole blocks filled the loop
        point.upper = {Quasi::of_slot(loop.slot) + Quasi(unrolled->size - 1)};
        point.unroll = static_cast<std::uint32_t>(unrolled->size);
        points.push_back(std::move(point));
      } else {
        open.push_back(loop.slot);
      }
      chain.push_back(std::move(loop));
    }
    for (Loop& point : points) chain.push_back(std::move(point));
    chain.back().body = std::move(body_);
    for (std::size_t l = chain.size() - 1; l-- > 0;) chain[l].body.push_back({std::move(chain[l + 1])});
    return std::move(chain.front());
  }

 private:
  Loop& loop_of(const std::string& name) { return *std::ranges::find(loops_, name, &Loop::name); }
  [[nodiscard]] std::vector<std::string> order() const {
    if (!blocking_.order.empty()) return blocking_.order;
    std::vector<std::string> names;
    for (const Loop& loop : loops_) names.push_back(loop.name);
    return names;
  }
  Slot new_slot(const std::string& name) {
    kernel_.slots.push_back(name);
    return static_cast<Slot>(kernel_.slots.size() - 1);
  }
  [[nodiscard]] Loop widest(Loop loop) const {
    loop.lower = {Quasi(ranges_[loop.slot].low)};
    loop.upper = {Quasi(ranges_[loop.slot].high)};
    return loop;
  }
  /// Bounds that use a loop of the band which is not around it are replaced by the widest.
  [[nodiscard]] Loop bounded(Loop loop, const std::vector<Slot>& open) const {
    const auto hidden = [&](const Quasi& q) {
      return std::ranges::any_of(loops_, [&](const Loop& other) {
        return q.uses(other.slot) && std::ranges::find(open, other.slot) == open.end();
      });
    };
    for (Quasi& q : loop.lower) {
      if (hidden(q)) q = Quasi(ranges_[loop.slot].low);
    }
    for (Quasi& q : loop.upper) {
      if (hidden(q)) q = Quasi(ranges_[loop.slot].high);
    }
    return loop;
  }

  Kernel& kernel_;
  const Blocking& blocking_;
  std::vector<Interval> ranges_;
  std::vector<Loop> loops_;
  std::vector<Node> body_;
};

bool holds_any(const Node& node, const std::vector<std::string>& names) {
  bool found = false;
  const std::vector<Node> nodes{node};
  visit_nodes(nodes, [&](const Node& n) {
    const auto* loop = std::get_if<Loop>(&n.is);
    found = found || (loop != nullptr && std::ranges::find(names, loop->name) != names.end());
  });
  return found;
}

}  // namespace

std::string schedule_text(const Blocking& blocking) {
  std::vector<std::string> steps;
  for (const std::string& array : blocking.padded) steps.push_back(fmt::format("pad({}: {})", array, padding));
  if (!blocking.tiles.empty()) steps.push_back("tile(" + blocks(blocking.tiles) + ")");
  if (!blocking.order.empty()) steps.push_back(fmt::format("order({})", fmt::join(blocking.order, ", ")));
  for (const auto& [array, at] : blocking.stages) {
    steps.push_back(fmt::format("stage({0}, at: {1}t, into: {0}_packed)", array, at));
    steps.push_back(fmt::format("pad({}_packed: {})", array, padding));
  }
  if (!blocking.unrolls.empty()) steps.push_back("unroll_jam(" + blocks(blocking.unrolls) + ")");
  if (!blocking.across.empty()) steps.push_back("vectorize(" + blocking.across + ")");
  for (const std::string& array : blocking.streams) steps.push_back("nontemporal(" + array + ")");
  return fmt::format("{}", fmt::join(steps, "; "));
}

std::optional<Kernel> blocked(const Kernel& plain, const std::vector<std::string>& band, const Blocking& blocking) {
  Kernel kernel = plain;
  for (Array& array : kernel.arrays) {
    if (std::ranges::find(blocking.streams, array.name) != blocking.streams.end()) array.nontemporal = true;
    if (std::ranges::find(blocking.padded, array.name) == blocking.padded.end()) continue;
    array.padding.resize(array.extents.size(), 0);
    array.padding.back() += padding;
  }
  for (Node& node : kernel.nests) {
    if (band.empty() || !holds_any(node, band)) continue;
    const auto* top = std::get_if<Loop>(&node.is);
    Nested nest(kernel, blocking);
    if (top == nullptr || !nest.take(*top, band)) return std::nullopt;
    node = Node{nest.rebuilt()};
  }
  if (!blocking.unrolls.empty()) write_out_unrolled(kernel);
  visit_nodes(kernel.nests, [&](Node& node) {
    auto* loop = std::get_if<Loop>(&node.is);
    if (loop == nullptr || loop->name != blocking.across) return;
    loop->simd = Simd::vector;
    visit_nodes(loop->body, [](Node& inside) {
      if (auto* inner = std::get_if<Loop>(&inside.is)) inner->simd = Simd::vector;
    });
  });
  return kernel;
}

}  // namespace mansard
