#include "stream/registers.hpp"

#include <algorithm>
#include <set>

namespace mansard {
namespace {

bool same_element(const StreamRef& a, const StreamRef& b) {
  return a.array == b.array && a.bytes == b.bytes && a.address == b.address;
}
bool is_store(const StreamRef& ref) { return ref.kind != Kind::load; }

/// Every body below `nodes`, hoisted ones included, in program order.
template <class Visitor>
void each_body(std::vector<StreamNode>& nodes, const Visitor& visitor) {
  for (StreamNode& node : nodes) {
    if (auto* body = std::get_if<Body>(&node.is)) visitor(*body);
    if (auto* guard = std::get_if<StreamGuard>(&node.is)) each_body(guard->body, visitor);
    if (auto* loop = std::get_if<StreamLoop>(&node.is)) {
      each_body(loop->before, visitor);
      each_body(loop->body, visitor);
      each_body(loop->after, visitor);
    }
  }
}

/// Bodies that run whenever the loop around them does: not those below a guard, nor inside an inner loop, but those
/// that were hoisted out of an inner loop.
template <class Visitor>
void each_direct_body(std::vector<StreamNode>& nodes, const Visitor& visitor) {
  for (StreamNode& node : nodes) {
    if (auto* body = std::get_if<Body>(&node.is)) visitor(*body);
    if (auto* loop = std::get_if<StreamLoop>(&node.is)) {
      each_direct_body(loop->before, visitor);
      each_direct_body(loop->after, visitor);
    }
  }
}

void collect_loop_slots(const std::vector<StreamNode>& nodes, std::set<Slot>& slots) {
  for (const StreamNode& node : nodes) {
    if (const auto* guard = std::get_if<StreamGuard>(&node.is)) collect_loop_slots(guard->body, slots);
    if (const auto* loop = std::get_if<StreamLoop>(&node.is)) {
      slots.insert(loop->slot);
      collect_loop_slots(loop->body, slots);
    }
  }
}

/// Which slots a subtree defines, and which it uses before it has defined them.
struct Uses {
  std::multiset<Slot> defined;
  std::set<Slot> early;

  void use(const Quasi& q) {
    for (const Term& t : q.terms) {
      if (!defined.contains(t.slot)) early.insert(t.slot);
    }
    for (const Floor& f : q.floors) use(f.inner);
  }
  void scan(const std::vector<StreamNode>& nodes) {
    for (const StreamNode& node : nodes) {
      if (const auto* body = std::get_if<Body>(&node.is)) {
        for (const StreamDefine& d : body->defines) use(d.at), defined.insert(d.slot);
        for (const StreamRef& r : body->refs) use(r.address);
      } else if (const auto* guard = std::get_if<StreamGuard>(&node.is)) {
        for (const Conjunction& conjunction : guard->any_of)
          std::ranges::for_each(conjunction, [this](auto& q) { use(q); });
        scan(guard->body);
      } else {
        const auto& loop = std::get<StreamLoop>(node.is);
        for (const Quasi& q : loop.lower) use(q);
        for (const Quasi& q : loop.upper) use(q);
        scan(loop.before);
        scan(loop.body);
        scan(loop.after);
      }
    }
  }
};

/// Moves invariant index reads before the loop, until none is left, and returns the slots that vary in the loop.
/// A slot that is defined twice, or used before its definition (a carried index), varies.
std::set<Slot> hoist_defines(StreamLoop& loop) {
  std::set<Slot> varying{loop.slot};
  collect_loop_slots(loop.body, varying);
  Uses uses;
  uses.scan(loop.body);
  const std::multiset<Slot>& defined = uses.defined;
  const std::set<Slot>& used_early = uses.early;
  varying.insert(defined.begin(), defined.end());

  Body before;
  for (bool moved = true; moved;) {
    moved = false;
    each_direct_body(loop.body, [&](Body& body) {
      for (auto d = body.defines.begin(); d != body.defines.end();) {
        const bool stays = defined.count(d->slot) != 1 || used_early.contains(d->slot) || uses_any(d->at, varying);
        if (stays) {
          ++d;
        } else {
          varying.erase(d->slot);
          before.defines.push_back(*d);
          d = body.defines.erase(d);
          moved = true;
        }
      }
    });
  }
  if (!before.defines.empty()) loop.before.push_back({std::move(before)});
  return varying;
}

}  // namespace

bool may_overlap(const StreamRef& a, const StreamRef& b) {
  if (a.array != b.array) return false;
  const Quasi difference = a.address - b.address;
  if (!difference.is_constant()) return true;
  return difference.constant < b.bytes && -difference.constant < a.bytes;
}

bool Known::contains(const StreamRef& ref) const {
  return std::ranges::any_of(elements_, [&](const StreamRef& e) { return same_element(e, ref); });
}

void Known::loaded(const StreamRef& ref) {
  if (!contains(ref)) elements_.push_back(ref);
}

void Known::stored(const StreamRef& ref) {
  forget_overlapping(ref);
  loaded(ref);
}

void Known::forget_overlapping(const StreamRef& store) {
  std::erase_if(elements_, [&](const StreamRef& e) { return !same_element(e, store) && may_overlap(e, store); });
}

void Known::forget_slot(Slot slot) {
  std::erase_if(elements_, [&](const StreamRef& e) { return e.address.uses(slot); });
}

void hoist_invariants(StreamLoop& loop) {
  const std::set<Slot> varying = hoist_defines(loop);

  std::vector<StreamRef> all;  // in program order
  each_body(loop.body, [&](Body& body) { all.insert(all.end(), body.refs.begin(), body.refs.end()); });
  std::vector<StreamRef> candidates;
  each_direct_body(loop.body, [&](Body& body) {
    for (const StreamRef& ref : body.refs) {
      const bool seen = std::ranges::any_of(candidates, [&](const StreamRef& c) { return same_element(c, ref); });
      if (!seen && !uses_any(ref.address, varying)) candidates.push_back(ref);
    }
  });

  Body loads;
  Body stores;
  for (const StreamRef& candidate : candidates) {
    const StreamRef* first = nullptr;
    const StreamRef* store = nullptr;
    bool conflict = false;
    for (const StreamRef& ref : all) {
      if (same_element(ref, candidate)) {
        if (first == nullptr) first = &ref;
        if (is_store(ref)) store = &ref;
      }
    }
    for (const StreamRef& ref : all) {
      conflict = conflict ||
                 (!same_element(ref, candidate) && may_overlap(ref, candidate) && (store != nullptr || is_store(ref)));
    }
    if (conflict || first == nullptr) continue;
    if (!is_store(*first)) loads.refs.push_back(*first);
    if (store != nullptr) stores.refs.push_back(*store);
    each_body(loop.body, [&](Body& body) {
      std::erase_if(body.refs, [&](const StreamRef& ref) { return same_element(ref, candidate); });
    });
  }
  if (!loads.refs.empty()) loop.before.push_back({std::move(loads)});
  if (!stores.refs.empty()) loop.after.push_back({std::move(stores)});
}

}  // namespace mansard
