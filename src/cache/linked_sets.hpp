// Sets of very many ways, or where the set does not follow from the line's number alone: a hash table finds the line, a
// linked list per set holds the order of replacement.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "cache/level.hpp"
#include "cache/line_table.hpp"
#include "cache/plain_rows.hpp"
#include "cache/set_index.hpp"

namespace mansard {

/// As OrderedSets, with constant time per operation whatever the number of ways. Grows with the lines in use.
template <bool renews, class Index = SetIndex>
class LinkedSets {
 public:
  static constexpr bool is_order = true;
  static constexpr bool renews_on_use = renews;
  static constexpr bool by_modulo = Index::moves_along;

  LinkedSets(std::uint64_t sets, std::uint32_t ways) : LinkedSets(sets, ways, Index(sets)) {}
  LinkedSets(std::uint64_t sets, std::uint32_t ways, const Index& index) : index_(index), ways_(ways), orders_(sets) {}

  template <bool, Pattern>
  using Rows = PlainRows<LinkedSets>;
  [[nodiscard]] static bool masked() { return false; }

  bool hit(std::uint64_t line, bool renew, bool mark) {
    const Id id = table_.find(line);
    if (id == none) return false;
    nodes_[id].dirty |= mark;
    Order& order = order_of(line);
    if (renews && renew && order.newest != id) {
      unlink(order, id);
      link(order, id);
    }
    return true;
  }

  Used insert(std::uint64_t line, bool dirty) {
    Order& order = order_of(line);
    Used used = Used::missed();
    if (order.lines == ways_) {
      used = Used::missed(nodes_[order.oldest].line, nodes_[order.oldest].dirty);
      take_out(order, order.oldest);
    }
    Id id = free_;
    if (id == none) {
      id = static_cast<Id>(nodes_.size());
      nodes_.emplace_back();
    } else {
      free_ = nodes_[id].older;
    }
    nodes_[id].line = line;
    nodes_[id].dirty = dirty;
    link(order, id);
    ++order.lines;
    table_.insert(line, id);
    return used;
  }

  /// The line that would have to go if `line` came in; none while the set has room.
  [[nodiscard]] std::optional<std::uint64_t> oldest(std::uint64_t line) const {
    const Order& order = orders_[index_(line)];
    return order.lines < ways_ ? std::nullopt : std::optional(nodes_[order.oldest].line);
  }

  std::optional<bool> remove(std::uint64_t line) {
    const Id id = table_.find(line);
    if (id == none) return std::nullopt;
    take_out(order_of(line), id);
    return nodes_[id].dirty;
  }

  [[nodiscard]] bool is_dirty(std::uint64_t line) const {
    const Id id = table_.find(line);
    return id != none && nodes_[id].dirty;
  }

  bool clean_line(std::uint64_t line) {
    const Id id = table_.find(line);
    return id != none && std::exchange(nodes_[id].dirty, false);
  }

  template <class Visitor>
  void visit_dirty(const Visitor& visitor) const {
    for (const Order& order : orders_) {
      for (Id id = order.newest; id != none; id = nodes_[id].older) {
        if (nodes_[id].dirty) visitor(nodes_[id].line);
      }
    }
  }

  static constexpr bool tells_state = false;  // such levels are studies in themselves; they are simulated in full

  void clean() {
    for (Node& node : nodes_) node.dirty = false;
  }

 private:
  using Id = LineTable::Id;
  static constexpr Id none = LineTable::none;

  struct Node {
    std::uint64_t line;
    Id newer, older;  // `older` also chains the nodes that are free
    bool dirty;
  };
  struct Order {
    Id newest = none, oldest = none;
    std::uint32_t lines = 0;
  };

  Order& order_of(std::uint64_t line) { return orders_[index_(line)]; }

  void link(Order& order, Id id) {
    nodes_[id].newer = none;
    nodes_[id].older = order.newest;
    (order.newest == none ? order.oldest : nodes_[order.newest].newer) = id;
    order.newest = id;
  }

  void unlink(Order& order, Id id) {
    const Node& node = nodes_[id];
    (node.newer == none ? order.newest : nodes_[node.newer].older) = node.older;
    (node.older == none ? order.oldest : nodes_[node.older].newer) = node.newer;
  }

  void take_out(Order& order, Id id) {
    unlink(order, id);
    --order.lines;
    table_.remove(nodes_[id].line);
    nodes_[id].older = free_;
    free_ = id;
  }

  Index index_;
  std::uint32_t ways_;
  std::vector<Order> orders_;
  std::vector<Node> nodes_;
  Id free_ = none;
  LineTable table_;
};

}  // namespace mansard
