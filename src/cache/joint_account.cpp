// The parts of the joint hierarchy around the simulation proper: batches, requests, and the end of a run.
#include "cache/joint_hierarchy.hpp"

namespace mansard {

void JointHierarchy::consume(const Batch& batch) {
  const std::uint64_t load_misses = counters_.levels[0].load_misses, store_misses = counters_.levels[0].store_misses;
  const auto [requests, straddles] = std::visit(
      [this](const auto& accesses) { return std::pair(account(accesses), levels_[0]->access(accesses, *this)); },
      batch);
  // Hits in the first level are what is left of its look-ups, so that counting them costs nothing.
  const std::uint64_t loads = requests.loads + straddles.loads, stores = requests.stores + straddles.stores;
  counters_.levels[0].load_hits += loads - (counters_.levels[0].load_misses - load_misses);
  counters_.levels[0].store_hits += stores - (counters_.levels[0].store_misses - store_misses);
  counters_.line_lookups += loads + stores + requests.nontemporal + straddles.nontemporal;
  counters_.loads += requests.loads;
  counters_.stores += requests.stores;
  counters_.nontemporal_stores += requests.nontemporal;
}

namespace {
std::uint64_t& asked(Flow& flow, Kind kind) {
  return kind == Kind::load ? flow.demand_fills : kind == Kind::store ? flow.write_back : flow.nontemporal;
}
}  // namespace

ByKind JointHierarchy::account(const Run& run) {
  ByKind requests;
  for (const StreamRef& ref : run.refs) {
    requests[ref.kind] += run.count;
    asked(counters_.flows[0][ref.array], ref.kind) += run.count * ref.bytes;
  }
  return requests;
}

ByKind JointHierarchy::account(std::span<const Element> elements) {
  ByKind requests;
  for (const Element& e : elements) {
    ++requests[e.kind];
    asked(counters_.flows[0][e.array], e.kind) += e.bytes;
  }
  return requests;
}

// Level by level, a dirty line becomes clean and dirties the next level that holds it; nothing is evicted.
void JointHierarchy::drain() {
  for (std::size_t k = 0; k < memory_; ++k) {
    levels_[k]->visit_dirty([this, k](Line line) {
      std::size_t to = k + 1;
      flow(to, line).write_back += line_bytes_;
      while (to < memory_ && !levels_[to]->hit(line, false, true)) flow(++to, line).write_back += line_bytes_;
    });
    levels_[k]->clean();
  }
}

std::uint64_t JointHierarchy::dirty_lines() const {
  std::uint64_t distinct = 0;
  for (std::size_t k = 0; k < memory_; ++k) {
    levels_[k]->visit_dirty([&](Line line) {
      for (std::size_t j = 0; j < k; ++j) {
        if (levels_[j]->is_dirty(line)) return;
      }
      ++distinct;
    });
  }
  return distinct;
}

std::unique_ptr<Hierarchy> make_hierarchy(const Geometry& geometry, const std::vector<Region>& regions) {
  return std::make_unique<JointHierarchy>(geometry, regions);
}

}  // namespace mansard
