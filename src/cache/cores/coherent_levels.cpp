#include "cache/cores/coherent_levels.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include "cache/policy.hpp"

namespace mansard {
namespace {

/// Lines up to 2^31 can be held in 32 bits each. Where nobody knows how far the addresses reach, all of 2^47 bytes.
std::uint64_t highest_line_of(const std::vector<Region>& regions, std::uint32_t line_bytes) {
  constexpr std::uint64_t small = (std::uint64_t{1} << 31U) - 2;
  const std::uint64_t all = (std::uint64_t{1} << 47U) / line_bytes;
  if (regions.empty()) return all;
  return (regions.back().start + regions.back().bytes) / line_bytes <= small ? small : all;
}

std::size_t caches_of(const LevelGeometry& level, std::uint32_t cores) {
  return (cores + level.shared_by - 1) / level.shared_by;
}

/// The last level is asked itself if it is few caches: it holds most of the lines, and nobody is behind it.
std::vector<bool> tracked(const std::vector<LevelGeometry>& levels, std::uint32_t cores) {
  constexpr std::size_t few = 8;
  std::vector<bool> result(levels.size(), true);
  result.back() = caches_of(levels.back(), cores) > few;
  return result;
}

std::vector<std::size_t> numbers(const std::vector<LevelGeometry>& levels, std::uint32_t cores) {
  std::vector<std::size_t> first{0};
  const std::vector<bool> is_tracked = tracked(levels, cores);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    first.push_back(first.back() + (is_tracked[k] ? caches_of(levels[k], cores) : 0));
  }
  return first;
}

/// With LRU and FIFO, a use of what was used last in its set is a hit without effect, if stores stay in the cache.
bool second_use_is_idle(const LevelGeometry& first) {
  const std::string_view policy = first.policy->name;
  return (policy == "lru" || policy == "fifo") && first.write_back && first.allocate && first.store_promotes &&
         first.hash.empty() && first.pages.size == 0;  // (the set is the line's number modulo the number of sets)
}

}  // namespace

CoherentLevels::CoherentLevels(const Geometry& geometry, const std::vector<Region>& regions, std::uint32_t cores)
    : rules_(geometry.levels),
      memory_(geometry.levels.size()),
      line_bytes_(geometry.line),
      highest_line_(highest_line_of(regions, geometry.line)),
      owner_(regions, geometry.line),
      counts_(geometry.levels.size(), std::max<std::size_t>(regions.size(), 1)),
      sharing_(std::max<std::size_t>(regions.size(), 1)),
      levels_(geometry.levels.size()),
      evasions_(geometry.levels.size()),
      tracked_(tracked(geometry.levels, cores)),
      number_(numbers(geometry.levels, cores)),
      holders_(number_.back()),
      own_(cores, std::vector<std::uint64_t>(holders_.words())),
      watch_(cores, geometry.line),
      first_index_(geometry.levels.front().sets),
      keeps_latest_(second_use_is_idle(geometry.levels.front())),
      latest_(caches_of(geometry.levels.front(), cores),
              std::vector<Latest>(std::min(geometry.levels.front().sets, most_slots))),
      tells_state_(owner_.tells_lines_apart()) {
  for (std::size_t k = 0; k < memory_; ++k) {
    for (std::size_t i = 0; i < caches_of(rules_[k], cores); ++i) {
      levels_[k].push_back(rules_[k].policy->make(rules_[k], geometry.line, highest_line_));
      tells_state_ = tells_state_ && levels_[k].back()->entries() > 0;
      entries_ += levels_[k].back()->entries();
      const bool evades = rules_[k].evasion > 0 && rules_[k].write_back;
      evasions_[k].push_back(evades ? std::make_unique<FetchEvasion>(rules_[k], geometry.line) : nullptr);
      if (evades && evasions_[k].back()->remembers()) tells_state_ = false;
    }
    for (std::uint32_t c = 0; c < cores && tracked_[k]; ++c) {
      const std::size_t number = number_[k] + mine(k, c);
      own_[c][number / 64] |= std::uint64_t{1} << (number % 64);
    }
  }
  constexpr std::uint64_t most_entries = std::uint64_t{1} << 27U;  // of a state that is worth a copy
  tells_state_ = tells_state_ && entries_ <= most_entries;
}

// ------------------------------------------------------------------------------------------ a core's access

void CoherentLevels::access(std::uint32_t core, Line line, std::uint64_t from, std::uint64_t to, Kind kind) {
  if (line > highest_line_) {
    throw std::out_of_range("an access to line " + std::to_string(line) + " is outside of what is simulated");
  }
  ++lookups_;
  const std::uint64_t touched = watch_.mask(from, to);
  // Remembered first: what makes room for the line may take the line itself out again (of an inclusive outer level).
  Latest& latest = latest_[mine(0, core)][slot(line)];
  if (keeps_latest_ && kind != Kind::nontemporal) latest = {line, kind == Kind::store};
  if (kind == Kind::load) {
    load(core, line);
  } else if (kind == Kind::store) {
    claim(core, line, touched);
    store(0, core, line, to - from);
  } else {
    nontemporal(core, line, to - from, touched);
  }
  if (watch_.touch(core, line, touched)) latest = {};  // watched lines are seen each time
}

void CoherentLevels::load(std::uint32_t core, Line line) {
  if (at(0, core).hit(line, true, false)) return;
  ++counts_.levels[0].load_misses;
  const bool dirty = fetch(1, core, line, &Flow::demand_fills);
  insert(0, core, line, dirty);
}

void CoherentLevels::store(std::size_t k, std::uint32_t core, Line line, std::uint64_t bytes) {
  if (k == memory_) return;
  const LevelGeometry& rule = rules_[k];
  if (at(k, core).hit(line, rule.store_promotes, rule.write_back)) {
    if (k > 0) ++counts_.levels[k].store_hits;
    if (!rule.write_back) store_on(k, core, line, bytes);
    return;
  }
  ++counts_.levels[k].store_misses;
  const bool allocates = rule.allocate && rule.role != Role::victim;
  if (allocates) {
    FetchEvasion* const evasion = evasions_[k][mine(k, core)].get();
    const bool evades = evasion != nullptr && evasion->next(line);
    const bool dirty = !evades && fetch(k + 1, core, line, &Flow::write_allocate);
    insert(k, core, line, dirty || rule.write_back);
  }
  if (!allocates || !rule.write_back) store_on(k, core, line, bytes);
}

void CoherentLevels::store_on(std::size_t k, std::uint32_t core, Line line, std::uint64_t bytes) {
  flow(k + 1, line).write_through += bytes;
  store(k + 1, core, line, bytes);
}

void CoherentLevels::nontemporal(std::uint32_t core, Line line, std::uint64_t bytes, std::uint64_t touched) {
  bool dirty = false, others = false;
  for (std::size_t k = 0; k < memory_; ++k) {
    for (std::size_t i = 0; i < levels_[k].size(); ++i) {
      const std::optional<bool> gone = remove(k, i, line);
      dirty = dirty || gone.value_or(false);
      others = others || (gone && i != mine(k, core));
    }
  }
  if (others) watch_.invalidated(core, line, touched, sharing_[owner_(line)]);
  flow(memory_, line).nontemporal += dirty ? line_bytes_ : bytes;
}

// ------------------------------------------------------------------------------------------ what cores do to each
// other

/// Does a cache hold the line that is not on the core's way to memory? `anywhere` false: of the tracked ones.
bool CoherentLevels::others_hold(std::uint32_t core, Line line, bool anywhere) const {
  if (holders_.others(line, own_[core].data())) return true;
  if (!anywhere || tracked_.back()) return false;
  for (std::size_t i = 0; i < levels_.back().size(); ++i) {
    if (i != mine(memory_ - 1, core) && levels_.back()[i]->hit(line, false, false)) return true;
  }
  return false;
}

void CoherentLevels::claim(std::uint32_t core, Line line, std::uint64_t touched) {
  if (!others_hold(core, line, true)) return;
  for (std::size_t k = 1; k <= memory_; ++k) {
    const Range all = inside(k, mine(k, core));
    for (std::size_t i = all.begin; i < all.end; ++i) {
      if (i != mine(k - 1, core) && take(k - 1, i, line, true).dirty) receive(k, core, line);
    }
  }
  watch_.invalidated(core, line, touched, sharing_[owner_(line)]);
}

void CoherentLevels::snoop(std::size_t k, std::uint32_t core, Line line) {
  const Range all = inside(k, mine(k, core));
  if (all.end - all.begin < 2 || !others_hold(core, line, k == memory_)) return;
  for (std::size_t i = all.begin; i < all.end; ++i) {
    if (i == mine(k - 1, core) || !take(k - 1, i, line, false).dirty) continue;
    ++sharing_[owner_(line)].dirty_transfers;
    receive(k, core, line);
  }
}

CoherentLevels::Copies CoherentLevels::take(std::size_t k, std::size_t i, Line line, bool removes) {
  Copies all;
  if (k > 0) {
    const Range above = inside(k, i);
    for (std::size_t j = above.begin; j < above.end; ++j) {
      const Copies copies = take(k - 1, j, line, removes);
      all = {all.any || copies.any, all.dirty || copies.dirty};
    }
  }
  if (!tracked_[k] || holders_.has(line, number_[k] + i)) {
    if (removes) {
      const std::optional<bool> gone = remove(k, i, line);
      all = {all.any || gone, all.dirty || gone.value_or(false)};
    } else if (levels_[k][i]->clean_line(line)) {
      all = {true, true};
      if (k == 0) latest_[i][slot(line)] = {};
    }
  }
  if (all.dirty) flow(k + 1, line).write_back += line_bytes_;
  return all;
}

CoherentLevels::Range CoherentLevels::inside(std::size_t k, std::size_t i) const {
  const std::size_t count = levels_[k - 1].size();
  if (k == memory_) return {0, count};
  const std::size_t width = rules_[k].shared_by / rules_[k - 1].shared_by;
  return {std::min(i * width, count), std::min((i + 1) * width, count)};
}

// ------------------------------------------------------------------------------------------ between levels

bool CoherentLevels::fetch(std::size_t k, std::uint32_t core, Line line, Cause cause) {
  snoop(k, core, line);
  bool arrives_dirty = false;
  if (k < memory_) {
    const LevelGeometry& rule = rules_[k];
    LevelCount& count = counts_.levels[k];
    const bool demand = cause == &Flow::demand_fills;
    const bool moves = rule.role == Role::victim && !rule.victim_copies;
    const std::optional<bool> moved = moves ? remove(k, mine(k, core), line) : std::nullopt;
    if (moves ? moved.has_value() : at(k, core).hit(line, true, false)) {
      ++(demand ? count.load_hits : count.store_hits);
      arrives_dirty = moved.value_or(false);
    } else {
      ++(demand ? count.load_misses : count.store_misses);
      const bool dirty = fetch(k + 1, core, line, cause);
      if (rule.role == Role::victim) return dirty;  // the line passes by, unseen at this boundary
      insert(k, core, line, dirty);
    }
  }
  flow(k, line).*cause += line_bytes_;
  return arrives_dirty;
}

void CoherentLevels::insert_victim(std::size_t k, std::uint32_t core, Line line, bool dirty) {
  if (!at(k, core).hit(line, true, dirty)) insert(k, core, line, dirty);
}

void CoherentLevels::insert(std::size_t k, std::uint32_t core, Line line, bool dirty) {
  const Used used = at(k, core).insert(line, dirty);
  const std::size_t number = number_[k] + mine(k, core);
  if (tracked_[k]) holders_.add(line, number);
  if (!used.has_victim()) return;
  if (tracked_[k]) holders_.remove(used.victim(), number);
  send_out(k, core, used.victim(), used.dirty_victim());
}

void CoherentLevels::send_out(std::size_t k, std::uint32_t core, Line line, bool dirty) {
  if (rules_[k].role == Role::inclusive && k > 0 && holders_.any(line)) {  // what is above a level is tracked
    const Range above = inside(k, mine(k, core));
    for (std::size_t i = above.begin; i < above.end; ++i) {
      if (take(k - 1, i, line, true).dirty) dirty = true;
    }
  }
  if (dirty) {
    flow(k + 1, line).write_back += line_bytes_;
    receive(k + 1, core, line);
  } else if (k + 1 < memory_ && rules_[k + 1].role == Role::victim) {
    flow(k + 1, line).clean_victims += line_bytes_;
    insert_victim(k + 1, core, line, false);
  }
}

void CoherentLevels::receive(std::size_t k, std::uint32_t core, Line line) {
  if (k == memory_) return;
  const LevelGeometry& rule = rules_[k];
  if (rule.role == Role::victim) {
    insert_victim(k, core, line, true);
    return;
  }
  if (!at(k, core).hit(line, rule.store_promotes, rule.write_back)) {
    if (rule.writeback_miss == WritebackMiss::forward) {
      flow(k + 1, line).write_back += line_bytes_;
      receive(k + 1, core, line);
      return;
    }
    if (rule.writeback_miss == WritebackMiss::fetch) fetch(k + 1, core, line, &Flow::write_allocate);
    insert(k, core, line, rule.write_back);
  }
  if (!rule.write_back) {
    flow(k + 1, line).write_through += line_bytes_;
    receive(k + 1, core, line);
  }
}

std::optional<bool> CoherentLevels::remove(std::size_t k, std::size_t i, Line line) {
  const std::optional<bool> gone = levels_[k][i]->remove(line);
  if (!gone) return gone;
  if (tracked_[k]) holders_.remove(line, number_[k] + i);
  if (k == 0) latest_[i][slot(line)] = {};
  return gone;
}

// ------------------------------------------------------------------------------------------ as a whole

void CoherentLevels::drain() {
  for (std::size_t k = 0; k < memory_; ++k) {
    for (std::size_t i = 0; i < levels_[k].size(); ++i) {
      const auto core = static_cast<std::uint32_t>(i * rules_[k].shared_by);
      levels_[k][i]->visit_dirty([&](Line line) {
        std::size_t to = k;
        do {
          flow(++to, line).write_back += line_bytes_;
        } while (to < memory_ && !at(to, core).hit(line, false, true));
      });
      levels_[k][i]->clean();
    }
  }
  forget_latest();
}

std::uint64_t CoherentLevels::dirty_lines() const {
  std::vector<Line> lines;
  for (const auto& level : levels_) {
    for (const auto& cache : level) cache->visit_dirty([&](Line line) { lines.push_back(line); });
  }
  std::ranges::sort(lines);
  return static_cast<std::uint64_t>(std::ranges::unique(lines).begin() - lines.begin());
}

void CoherentLevels::save(State& state) const {
  std::size_t n = 0;
  for (const auto& level : levels_) {
    for (const auto& cache : level) {
      if (state.size() == n) state.emplace_back();
      cache->save(state[n++], false);
    }
  }
}

bool CoherentLevels::is_moved(const State& state, std::int64_t lines) const {
  std::size_t n = 0;
  return watch_.empty() && std::ranges::all_of(levels_, [&](const auto& level) {
           return std::ranges::all_of(level,
                                      [&](const auto& cache) { return cache->is_moved(state[n++], false, lines); });
         });
}

bool CoherentLevels::keeps_owners(std::int64_t lines) const {
  return std::ranges::all_of(levels_, [&](const auto& level) {
    return std::ranges::all_of(level, [&](const auto& cache) { return cache->keeps_owners(owner_, lines); });
  });
}

void CoherentLevels::move(std::int64_t lines) {
  for (auto& level : levels_) {
    for (auto& cache : level) cache->move(lines);
  }
  holders_.move(lines);
  forget_latest();
}

void CoherentLevels::forget_latest() {
  for (auto& sets : latest_) sets.assign(sets.size(), Latest{});
}

}  // namespace mansard
