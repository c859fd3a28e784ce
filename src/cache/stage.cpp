#include "cache/stage.hpp"

#include <algorithm>

#include "cache/policy.hpp"
#include "cache/sectored_level.hpp"
#include "cache/warp.hpp"
#include "cache/watched_level.hpp"

namespace mansard {
namespace {

/// Does nothing ever take a line out of level k? Lines are taken out by non-temporal stores, by an inclusive level
/// further out, and out of a victim level when they move up.
bool lines_stay(const Geometry& geometry, std::size_t k) {
  const std::vector<LevelGeometry>& levels = geometry.levels;
  const bool moves_up = levels[k].role == Role::victim && !levels[k].victim_copies;
  return !geometry.nontemporal && !moves_up &&
         std::none_of(levels.begin() + static_cast<std::ptrdiff_t>(k) + 1, levels.end(),
                      [](const LevelGeometry& further) { return further.role == Role::inclusive; });
}

}  // namespace

Stage::Stage(const Geometry& geometry, const std::vector<Region>& regions, std::size_t begin, std::size_t end,
             Stage* next, std::uint64_t highest_line, const Share& share)
    : rules_(geometry.levels),
      begin_(begin),
      end_(end),
      memory_(geometry.levels.size()),
      line_bytes_(geometry.line),
      combines_(combines(geometry)),
      combining_(geometry.combining, geometry.line),
      owner_(regions, geometry.line, share),
      columns_(owner_.columns(std::max<std::size_t>(regions.size(), 1))),
      counts_(geometry.levels.size(), columns_),
      next_(next),
      tells_state_(owner_.tells_lines_apart()) {
  for (std::size_t k = begin; k < end; ++k) {
    const LevelGeometry& rule = rules_[k];
    const std::uint32_t line_bytes = geometry.line * rule.sectors;
    levels_.push_back(rule.policy->make(rule, line_bytes, highest_line / rule.sectors));
    if (rule.sectors > 1) levels_.back() = make_sectored(std::move(levels_.back()), rule.sectors);
    prefetchers_.push_back(rule.prefetch.any() ? std::make_unique<Prefetcher>(rule.prefetch, geometry.line) : nullptr);
    evasions_.push_back(rule.evasion > 0 && rule.write_back ? std::make_unique<FetchEvasion>(rule, line_bytes)
                                                            : nullptr);
    if (prefetchers_.back() || rule.sectors > 1) levels_.back() = make_watched(std::move(levels_.back()), rule);
    if (evasions_.back() && evasions_.back()->remembers()) tells_state_ = false;
    plain_ = plain_ && rule.role != Role::victim && rule.write_back && rule.allocate && rule.sectors == 1 &&
             !prefetchers_.back() && !evasions_.back();
    if (rule.role == Role::inclusive) inclusive_ |= std::uint64_t{1} << k;
    tells_state_ = tells_state_ && levels_.back()->entries() > 0;
    entries_ += levels_.back()->entries();
    if (lines_stay(geometry, k)) levels_.back()->lines_stay();
  }
  const LevelGeometry& rule = rules_[begin];
  const bool plain = !prefetchers_.front() && !evasions_.front() && rule.sectors == 1;
  if (end - begin == 1 && plain && rule.write_back && rule.allocate && rule.store_promotes &&
      rule.writeback_miss == WritebackMiss::allocate) {
    levels_.front()->go_solo(
        {&owner_, &counts_.levels[begin], &counts_.flows[end * columns_], columns_, &out_, next == nullptr});
  }
  if (begin == 0) {
    const bool invalidated = std::any_of(rules_.begin() + 1, rules_.begin() + static_cast<std::ptrdiff_t>(end),
                                         [](const LevelGeometry& g) { return g.role == Role::inclusive; });
    const bool prefetched = std::ranges::any_of(rules_, [](const LevelGeometry& g) { return g.prefetch.any(); });
    front_end_.emplace(*levels_.front(), static_cast<Beyond&>(*this), rule, geometry.line, invalidated, prefetched,
                       combines_, share, counts_.levels[begin]);
  }
}

void Stage::fetch_missed(Line line, Event::Kind cause) {
  if (plain_ && cause != Event::prefetch) return fetch_plain(line, cause);
  LevelCount& count = counts_.levels[begin_];
  if (cause == Event::demand) ++count.load_misses;
  if (cause == Event::write_allocate) ++count.store_misses;
  fetch_beyond(begin_, line,
               cause == Event::demand     ? &Flow::demand_fills
               : cause == Event::prefetch ? &Flow::prefetch
                                          : &Flow::write_allocate);
}

/// What fetch_missed and store_missed come to where no level does anything out of the ordinary: the line comes from the
/// first level that has it, to all levels up to the first, from the outermost inward.
void Stage::fetch_plain(Line line, Event::Kind cause) {
  const bool stores = cause != Event::demand;
  std::size_t from = begin_;
  const auto missed = [&] { ++(stores ? counts_.levels[from].store_misses : counts_.levels[from].load_misses); };
  do {
    missed();
    ++from;
  } while (from < end_ && !level(from).hit(line, true, false));
  if (from < end_) {
    ++(stores ? counts_.levels[from].store_hits : counts_.levels[from].load_hits);
  } else {
    send(line, stores ? Event::write_allocate : Event::demand);
  }
  Flow* flow = &counts_.flows[(begin_ + 1) * columns_ + owner_(line)];
  for (std::size_t k = begin_; k < from; ++k, flow += columns_) {
    (stores ? flow->write_allocate : flow->demand_fills) += line_bytes_;
  }
  while (from-- > begin_) {
    const Used used = level(from).insert(line, from == begin_ && cause == Event::store);
    const bool asks_above = (inclusive_ >> from & 1U) != 0 && used.has_victim();
    if (asks_above || used.dirty_victim()) send_out(from, used.victim(), used.dirty_victim());
  }
}

bool Stage::remove_everywhere(Line line) {
  bool dirty = false;
  for (const auto& level : levels_) dirty |= level->remove(line).value_or(false);
  return dirty;
}

// A streaming store neither fetches nor stays in a cache. What a cache holds of the line is merged and leaves with it:
// the complete line goes out then, which the last stage makes up for.
void Stage::nontemporal_passed(Event event) {
  const Line line = event.line();
  if (begin_ == 0 && combines_) {
    combining_.store(line, event.bytes(), [this](Line full) { to_memory(full); });
  } else if (begin_ == 0) {
    flow(memory_, line).nontemporal += event.bytes();
  }
  const bool dirty = remove_everywhere(line) || event.has(Event::makes_dirty);
  if (next_ != nullptr) {
    send(line, dirty ? Event::nontemporal_dirty : Event::nontemporal, event.bytes());
  } else if (dirty) {
    flow(memory_, line).nontemporal += line_bytes_ - (combines_ ? 0 : event.bytes());
  }
}

void Stage::drain_combined() {
  combining_.drain([this](Line line) { to_memory(line); });
}

// Returns whether the line comes dirty: a victim level gives its dirtiness away with the line. The first level that
// takes a copy on the way keeps it.
bool Stage::fetch(std::size_t k, Line line, Cause cause) {
  if (k == end_) {
    flow(k, line).*cause += line_bytes_;
    send(line, cause == &Flow::demand_fills ? Event::demand
               : cause == &Flow::prefetch   ? Event::prefetch
                                            : Event::write_allocate);
    return false;
  }
  const LevelGeometry& rule = rules_[k];
  const bool moves = rule.role == Role::victim && !rule.victim_copies;
  const std::optional<bool> moved = moves ? level(k).remove(line) : std::nullopt;
  const bool hit = moves ? moved.has_value() : level(k).hit(line, true, false);
  LevelCount& count = counts_.levels[k];
  if (cause == &Flow::demand_fills) ++(hit ? count.load_hits : count.load_misses);
  if (cause == &Flow::write_allocate) ++(hit ? count.store_hits : count.store_misses);
  if (!hit) {
    const bool dirty = fetch_beyond(k, line, cause);
    if (rule.role == Role::victim) return dirty;  // passes by: not counted at this boundary
  }
  flow(k, line).*cause += line_bytes_;
  if (cause != &Flow::prefetch) looked_up(k, line, !hit);
  return moved.value_or(false);
}

/// Demand looked level k up, and all that follows from it has happened: its prefetcher, if any, asks for more.
void Stage::looked_up(std::size_t k, Line line, bool missed) {
  Prefetcher* const prefetcher = prefetchers_[k - begin_].get();
  if (prefetcher == nullptr) return;
  for (const Line wanted : prefetcher->looked_up(line, missed)) {
    if (!level(k).hit(wanted, false, false)) fetch_beyond(k, wanted, &Flow::prefetch);
  }
}

/// Level k does not have the line: it comes from further out, and stays unless k is a victim cache.
bool Stage::fetch_beyond(std::size_t k, Line line, Cause cause) {
  const bool dirty = fetch(k + 1, line, cause);
  if (rules_[k].role != Role::victim) insert(k, line, dirty);
  return dirty;
}

void Stage::store(std::size_t k, Line line, Bytes bytes) {
  if (k == memory_) return;
  const bool hit = level(k).hit(line, rules_[k].store_promotes, rules_[k].write_back);
  if (!hit) {
    store_miss(k, line, bytes);
  } else {
    ++counts_.levels[k].store_hits;
    if (!rules_[k].write_back) forward_store(k, line, bytes);
  }
  looked_up(k, line, !hit);
}

void Stage::store_miss(std::size_t k, Line line, Bytes bytes) {
  const LevelGeometry& rule = rules_[k];
  ++counts_.levels[k].store_misses;
  const bool allocates = rule.allocate && !is_victim_level(k);
  if (allocates) {
    const bool evades = evasions_[k - begin_] && evasions_[k - begin_]->next(line / rule.sectors);
    const bool dirty = !evades && fetch(k + 1, line, &Flow::write_allocate);
    insert(k, line, dirty || rule.write_back);
  }
  if (!allocates || !rule.write_back) forward_store(k, line, bytes);
}

void Stage::forward_store(std::size_t k, Line line, Bytes bytes) {
  flow(k + 1, line).write_through += bytes;
  store(k + 1, line, bytes);
}

void Stage::insert(std::size_t k, Line line, bool dirty) {
  Used used = level(k).insert(line, dirty);
  while (used.has_victim()) {
    send_out(k, used.victim(), used.dirty_victim());
    used = rules_[k].sectors > 1 ? level(k).next_victim() : Used::missed();
  }
}

void Stage::insert_victim(std::size_t k, Line line, bool dirty) {
  if (!level(k).hit(line, true, dirty)) insert(k, line, dirty);  // there already if a hit had copied it up
}

void Stage::send_out(std::size_t k, Line line, bool dirty) {
  if (rules_[k].role == Role::inclusive) dirty |= remove_above(k, line);
  if (dirty) {
    flow(k + 1, line).write_back += line_bytes_;
    receive(k + 1, line);
  } else if (is_victim_level(k + 1)) {
    flow(k + 1, line).clean_victims += line_bytes_;
    insert_victim(k + 1, line, false);
  }
}

// Inclusion: what leaves level k leaves every level above. A dirty copy crosses all boundaries down to k, once.
bool Stage::remove_above(std::size_t k, Line line) {
  bool dirty = false;
  for (std::size_t j = begin_; j < k; ++j) {
    dirty |= level(j).remove(line).value_or(false);
    if (dirty) flow(j + 1, line).write_back += line_bytes_;
  }
  return dirty;
}

// A full dirty line arrives from above.
void Stage::receive(std::size_t k, Line line) {
  if (k == end_) {
    send(line, Event::write_back);
  } else if (rules_[k].role == Role::victim) {
    insert_victim(k, line, true);
  } else if (!level(k).hit(line, rules_[k].store_promotes, rules_[k].write_back)) {
    receive_missed(k, line);
  } else if (!rules_[k].write_back) {
    write_through(k, line);
  }
}

void Stage::receive_missed(std::size_t k, Line line) {
  const LevelGeometry& rule = rules_[k];
  if (rule.writeback_miss == WritebackMiss::forward) {
    flow(k + 1, line).write_back += line_bytes_;
    receive(k + 1, line);
    return;
  }
  if (rule.writeback_miss == WritebackMiss::fetch) fetch(k + 1, line, &Flow::write_allocate);
  insert(k, line, rule.write_back);  // what was fetched is overwritten whole, dirty or not
  if (!rule.write_back) write_through(k, line);
}

void Stage::write_through(std::size_t k, Line line) {
  flow(k + 1, line).write_through += line_bytes_;
  receive(k + 1, line);
}

}  // namespace mansard
