#include "schedule/affine/privates.hpp"

#include <algorithm>

namespace mansard {
namespace {

class Collector {
 public:
  explicit Collector(const Kernel& kernel) : kernel_(kernel) {}
  std::vector<StorageUse> uses;

  void node(const Node& node) {
    if (const auto* guard = std::get_if<Guard>(&node.is)) {
      for (const Value& v : guard->data) value(v);
      for (const Node& inner : guard->body) this->node(inner);
    }
    const auto* statement = std::get_if<Statement>(&node.is);
    if (statement == nullptr) return;
    if (statement->assign != Assign::set) target(*statement, false);
    value(statement->value);
    target(*statement, true);
  }

 private:
  void target(const Statement& statement, bool write) {
    if (const auto* id = std::get_if<ScalarId>(&statement.target)) uses.push_back({{false, *id, {}}, write});
    if (const auto* a = std::get_if<Access>(&statement.target)) access(*a, write);
  }
  void access(const Access& a, bool write) {
    if (!kernel_.arrays[a.array].is_private) return;
    const auto element = fixed_element(a);
    uses.push_back({{true, a.array, element.value_or(std::vector<Int>{})}, write, !element});
  }
  void value(const Value& v) {
    if (v.op == Op::load) access(v.access, false);
    if (v.op == Op::scalar) uses.push_back({{false, v.scalar, {}}, false});
    for (const Value& operand : v.operands) value(operand);
  }

  const Kernel& kernel_;
};

}  // namespace

std::optional<std::vector<Int>> fixed_element(const Access& access) {
  std::vector<Int> element;
  for (const Quasi& q : access.subscripts) {
    if (!q.is_constant()) return std::nullopt;
    element.push_back(q.constant);
  }
  if (!access.indices.empty()) return std::nullopt;
  return element;
}

bool contains_loops(const Node& node) {
  if (std::holds_alternative<Loop>(node.is)) return true;
  const auto* guard = std::get_if<Guard>(&node.is);
  return guard != nullptr && std::ranges::any_of(guard->body, contains_loops);
}

std::vector<StorageUse> storage_uses(const Kernel& kernel, const Node& node) {
  Collector collector(kernel);
  collector.node(node);
  return std::move(collector.uses);
}

Privates::Privates(const Kernel& kernel) {
  scan(kernel, kernel.nests);
  for (const Storage& storage : shared_) homes_.erase(storage);
  std::erase_if(homes_, [this](const auto& home) { return home.first.is_array && indexed_.contains(home.first.id); });
}

void Privates::scan(const Kernel& kernel, const std::vector<Node>& body) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (const auto* loop = std::get_if<Loop>(&body[i].is)) scan(kernel, loop->body);
    if (contains_loops(body[i])) {
      if (const auto* guard = std::get_if<Guard>(&body[i].is)) scan(kernel, guard->body);
      continue;
    }
    for (const StorageUse& one : storage_uses(kernel, body[i])) use(one, body, i);
  }
}

void Privates::use(const StorageUse& use, const std::vector<Node>& body, std::size_t child) {
  if (use.anywhere) {
    indexed_.insert(use.storage.id);
    return;
  }
  const auto home = homes_.find(use.storage);
  if (home == homes_.end()) {
    // The first use must write it whole and on every path: a plain assignment, not under a condition.
    const bool fresh = use.write && std::holds_alternative<Statement>(body[child].is);
    if (!fresh) shared_.insert(use.storage);
    homes_.insert({use.storage, {&body, child, child}});
    return;
  }
  const bool same_run =
      home->second.body == &body && !std::any_of(body.begin() + static_cast<std::ptrdiff_t>(home->second.first),
                                                 body.begin() + static_cast<std::ptrdiff_t>(child), contains_loops);
  if (same_run) {
    home->second.last = child;
  } else {
    shared_.insert(use.storage);
  }
}

std::vector<std::pair<std::size_t, std::size_t>> Privates::groups(const std::vector<Node>& body) const {
  std::vector<std::pair<std::size_t, std::size_t>> result;
  for (std::size_t i = 0; i < body.size(); ++i) {
    std::size_t first = i;
    for (const auto& [storage, home] : homes_) {
      if (home.body == &body && home.first < i && i <= home.last) first = std::min(first, home.first);
    }
    while (!result.empty() && result.back().second >= first && first < i) {
      first = std::min(first, result.back().first);
      result.pop_back();
    }
    result.emplace_back(first, i);
  }
  return result;
}

}  // namespace mansard
