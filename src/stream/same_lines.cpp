#include "stream/same_lines.hpp"

#include <algorithm>
#include <cstdlib>

#include "stream/walker.hpp"

namespace mansard {
namespace {

constexpr std::uint64_t fewest = 4;  // iterations in a stretch that are worth it: two are made

/// Of a rectangular nest without conditions and index reads: its loops and references. False if it is not one.
bool collect(const std::vector<StreamNode>& nodes, std::vector<const StreamLoop*>& loops,
             std::vector<const StreamRef*>& refs) {
  return std::ranges::all_of(nodes, [&](const StreamNode& node) {
    if (const auto* body = std::get_if<Body>(&node.is)) {
      for (const StreamRef& ref : body->refs) refs.push_back(&ref);
      return body->defines.empty();
    }
    const auto* loop = std::get_if<StreamLoop>(&node.is);
    if (loop == nullptr) return false;
    if (!collect(loop->before, loops, refs)) return false;
    loops.push_back(loop);
    return collect(loop->body, loops, refs) && collect(loop->after, loops, refs);
  });
}

}  // namespace

std::optional<SameLines::Nest> SameLines::nest_of(const StreamLoop& loop) const {
  Nest nest;
  std::vector<const StreamRef*> refs;
  if (!collect(loop.body, nest.inner, refs)) return std::nullopt;
  std::vector<Slot> slots{loop.slot};
  for (const StreamLoop* inner : nest.inner) {
    if (std::ranges::find(slots, inner->slot) != slots.end()) return std::nullopt;  // loops side by side
    slots.push_back(inner->slot);
  }
  for (const StreamLoop* inner : nest.inner) {
    for (const auto* bounds : {&inner->lower, &inner->upper}) {
      if (std::ranges::any_of(*bounds, [&](const Quasi& q) { return uses_any(q, slots); })) return std::nullopt;
    }
  }
  for (const StreamRef* ref : refs) {
    const Quasi& address = ref->address;
    if (std::ranges::any_of(address.floors, [&](const Floor& f) { return uses_any(f.inner, slots); }))
      return std::nullopt;
    const Int move = address.coefficient(loop.slot) * loop.step;
    if (move == 0) continue;
    const bool in_place = std::ranges::all_of(
        nest.inner, [&](const StreamLoop* l) { return address.coefficient(l->slot) * l->step % line_ == 0; });
    if (!in_place || std::abs(move) * static_cast<Int>(fewest) > line_) return std::nullopt;
    nest.movers.push_back({ref, move});
  }
  return nest.movers.empty() ? std::nullopt : std::optional(nest);
}

/// Iterations, from one that starts at `address`, until the access enters or leaves a line.
std::uint64_t SameLines::stays(Int address, const Mover& mover) const {
  Int least = line_;
  for (const Int end : {address, address + mover.ref->bytes - 1}) {
    const Int into = end - floor_div(end, line_) * line_;
    const Int room = mover.move > 0 ? line_ - 1 - into : into;
    least = std::min(least, room / std::abs(mover.move));
  }
  return static_cast<std::uint64_t>(least) + 1;
}

std::vector<Stretch> SameLines::stretches(const StreamLoop& loop, Int first, std::uint64_t count,
                                          std::span<const Int> environment) {
  auto known = known_.find(&loop);
  if (known == known_.end()) known = known_.emplace(&loop, nest_of(loop)).first;
  if (!known->second || count < fewest) return {};
  const Nest& nest = *known->second;
  environment_.assign(environment.begin(), environment.end());
  environment_[loop.slot] = first;
  // Any value that a loop inside takes will do: they differ by whole lines.
  for (const StreamLoop* inner : nest.inner) environment_[inner->slot] = trips_of(*inner, environment_).first;
  addresses_.clear();
  for (const Mover& mover : nest.movers) addresses_.push_back(mover.ref->address.at(environment_));
  std::vector<Stretch> result;
  for (std::uint64_t n = 0; n < count;) {
    std::uint64_t stay = count - n;
    for (std::size_t m = 0; m < nest.movers.size(); ++m) stay = std::min(stay, stays(addresses_[m], nest.movers[m]));
    for (std::size_t m = 0; m < nest.movers.size(); ++m) addresses_[m] += nest.movers[m].move * static_cast<Int>(stay);
    result.push_back({n, n + stay, 1, 0});
    n += stay;
    if (result.size() * fewest > n + static_cast<std::uint64_t>(line_)) return {};  // lines are left too soon
  }
  return result;
}

}  // namespace mansard
