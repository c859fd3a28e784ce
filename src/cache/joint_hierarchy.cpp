#include "cache/joint_hierarchy.hpp"

#include <algorithm>

#include "cache/policy.hpp"

namespace mansard {

JointHierarchy::JointHierarchy(const Geometry& geometry, const std::vector<Region>& regions)
    : rules_(geometry.levels),
      memory_(geometry.levels.size()),
      line_bytes_(geometry.line),
      owner_(regions, geometry.line),
      counters_(geometry.levels.size(), std::max<std::size_t>(regions.size(), 1)) {
  for (const LevelGeometry& level : rules_) levels_.push_back(level.policy->make(level, geometry.line));
}

void JointHierarchy::load_miss(Line line) {
  ++counters_.levels[0].load_misses;
  const bool dirty = fetch(1, line, &Flow::demand_fills);
  insert(0, line, dirty);
}

// A streaming store neither fetches nor stays in a cache. What a cache holds of the line is merged and leaves with it.
void JointHierarchy::nontemporal(Line line, std::uint32_t bytes) {
  bool dirty = false;
  for (const auto& level : levels_) dirty |= level->remove(line).value_or(false);
  flow(memory_, line).nontemporal += dirty ? line_bytes_ : bytes;
}

// Returns whether the line comes dirty: a victim level gives its dirtiness away with the line. The first level that
// takes a copy on the way keeps it.
bool JointHierarchy::fetch(std::size_t k, Line line, Cause cause) {
  if (k == memory_) {
    flow(k, line).*cause += line_bytes_;
    return false;
  }
  const LevelGeometry& rule = rules_[k];
  const bool moves = rule.role == Role::victim && !rule.victim_copies;
  const std::optional<bool> moved = moves ? levels_[k]->remove(line) : std::nullopt;
  const bool hit = moves ? moved.has_value() : levels_[k]->hit(line, true, false);
  LevelCount& count = counters_.levels[k];
  ++(cause == &Flow::demand_fills ? (hit ? count.load_hits : count.load_misses)
                                  : (hit ? count.store_hits : count.store_misses));
  if (!hit) {
    const bool dirty = fetch(k + 1, line, cause);
    if (rule.role == Role::victim) return dirty;  // passes by: not counted at this boundary
    insert(k, line, dirty);
  }
  flow(k, line).*cause += line_bytes_;
  return moved.value_or(false);
}

void JointHierarchy::store(std::size_t k, Line line, Bytes bytes) {
  if (k == memory_) return;
  if (!levels_[k]->hit(line, rules_[k].store_promotes, rules_[k].write_back)) {
    store_miss(k, line, bytes);
    return;
  }
  ++counters_.levels[k].store_hits;
  if (!rules_[k].write_back) forward_store(k, line, bytes);
}

void JointHierarchy::store_miss(std::size_t k, Line line, Bytes bytes) {
  const LevelGeometry& rule = rules_[k];
  ++counters_.levels[k].store_misses;
  const bool allocates = rule.allocate && !is_victim_level(k);
  if (allocates) {
    const bool dirty = fetch(k + 1, line, &Flow::write_allocate);
    insert(k, line, dirty || rule.write_back);
  }
  if (!allocates || !rule.write_back) forward_store(k, line, bytes);
}

void JointHierarchy::forward_store(std::size_t k, Line line, Bytes bytes) {
  flow(k + 1, line).write_through += bytes;
  store(k + 1, line, bytes);
}

void JointHierarchy::insert(std::size_t k, Line line, bool dirty) {
  if (const auto victim = levels_[k]->insert(line, dirty)) send_out(k, *victim);
}

void JointHierarchy::insert_victim(std::size_t k, Line line, bool dirty) {
  if (!levels_[k]->hit(line, true, dirty)) insert(k, line, dirty);  // there already if a hit had copied it up
}

void JointHierarchy::send_out(std::size_t k, Victim victim) {
  if (rules_[k].role == Role::inclusive) victim.dirty |= remove_above(k, victim.line);
  if (victim.dirty) {
    flow(k + 1, victim.line).write_back += line_bytes_;
    receive(k + 1, victim.line);
  } else if (is_victim_level(k + 1)) {
    flow(k + 1, victim.line).clean_victims += line_bytes_;
    insert_victim(k + 1, victim.line, false);
  }
}

// Inclusion: what leaves level k leaves every level above. A dirty copy crosses all boundaries down to k, once.
bool JointHierarchy::remove_above(std::size_t k, Line line) {
  bool dirty = false;
  for (std::size_t j = 0; j < k; ++j) {
    dirty |= levels_[j]->remove(line).value_or(false);
    if (dirty) flow(j + 1, line).write_back += line_bytes_;
  }
  return dirty;
}

// A full dirty line arrives from above.
void JointHierarchy::receive(std::size_t k, Line line) {
  if (k == memory_) return;
  const LevelGeometry& rule = rules_[k];
  if (rule.role == Role::victim) {
    insert_victim(k, line, true);
    return;
  }
  if (!levels_[k]->hit(line, rule.store_promotes, rule.write_back)) {
    if (rule.writeback_miss == WritebackMiss::forward) {
      flow(k + 1, line).write_back += line_bytes_;
      receive(k + 1, line);
      return;
    }
    if (rule.writeback_miss == WritebackMiss::fetch) fetch(k + 1, line, &Flow::write_allocate);
    insert(k, line, rule.write_back);  // what was fetched is overwritten whole, dirty or not
  }
  if (!rule.write_back) {
    flow(k + 1, line).write_through += line_bytes_;
    receive(k + 1, line);
  }
}

}  // namespace mansard
