// The plain twin of the hierarchy of several cores, and its definition: what docs/bytes.md says, one element, one line
// and one cache at a time. It shares nothing with the other but the interface. With one core it is cache/naive.cpp,
// whose caches it is made of; prefetchers and sectors it does not have.
#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "cache/cores/cores.hpp"
#include "cache/naive_cache.hpp"

namespace mansard {
namespace {

using naive::Cache, naive::u64;

class NaiveCores final : public CoresHierarchy {
 public:
  NaiveCores(const Geometry& geometry, const std::vector<Region>& regions, std::uint32_t cores)
      : shift_(std::countr_zero(geometry.line)),
        line_bytes_(geometry.line),
        regions_(regions),
        rules_(geometry.levels),
        memory_(geometry.levels.size()),
        cores_(cores),
        counters_(geometry.levels.size(), std::max<std::size_t>(regions.size(), 1)),
        sharing_(std::max<std::size_t>(regions.size(), 1)) {
    for (const LevelGeometry& level : geometry.levels) {
      const u64 count = (cores + level.shared_by - 1) / level.shared_by;
      caches_.emplace_back();
      for (u64 i = 0; i < count; ++i) caches_.back().emplace_back(level, geometry.line);
      store_misses_.emplace_back(count);
    }
  }

  void consume(std::uint32_t core, const Batch& batch) override {
    visit_elements(batch, [&](const Element& e) { access(core, e.address, e); });
  }

  [[nodiscard]] const Counters& counters() const override { return counters_; }
  [[nodiscard]] const std::vector<SharingCount>& sharing() const override { return sharing_; }
  [[nodiscard]] u64 lookups() const override { return counters_.line_lookups; }

  void drain() override {
    for (std::size_t k = 0; k < memory_; ++k) {
      for (std::size_t i = 0; i < caches_[k].size(); ++i) {
        const std::vector<u64> dirty = caches_[k][i].dirty_lines();
        caches_[k][i].clean();
        for (const u64 line : dirty) {
          std::size_t to = k;
          do {
            flow(++to, line).write_back += line_bytes_;
          } while (to < memory_ && !caches_[to][i * rules_[k].shared_by / rules_[to].shared_by].hit(line, false, true));
        }
      }
    }
  }

  [[nodiscard]] u64 dirty_lines() const override {
    std::set<u64> all;
    for (const auto& level : caches_) {
      for (const Cache& cache : level) {
        for (const u64 line : cache.dirty_lines()) all.insert(line);
      }
    }
    return all.size();
  }

 private:
  // ------------------------------------------------------------------------------------------ a core's access

  void access(std::uint32_t core, u64 address, const Element& e) {
    Flow& asked = counters_.flows[0][e.array];
    ++(e.kind == Kind::load    ? counters_.loads
       : e.kind == Kind::store ? counters_.stores
                               : counters_.nontemporal_stores);
    (e.kind == Kind::load    ? asked.demand_fills
     : e.kind == Kind::store ? asked.write_back
                             : asked.nontemporal) += e.bytes;
    const u64 end = address + e.bytes;
    for (u64 line = address >> shift_; line << shift_ < end; ++line) {
      const u64 from = std::max(address, line << shift_), to = std::min(end, (line + 1) << shift_);
      ++counters_.line_lookups;
      const u64 touched = mask(from - (line << shift_), to - (line << shift_));
      if (e.kind == Kind::load) {
        load(core, line);
      } else if (e.kind == Kind::store) {
        claim(core, line, touched);
        store(0, core, line, to - from);
      } else {
        nontemporal(core, line, to - from, touched);
      }
      if (const auto watched = touched_.find(line); watched != touched_.end()) watched->second[core] |= touched;
    }
  }

  void load(std::uint32_t core, u64 line) {
    if (at(0, core).hit(line, true, false)) {
      ++counters_.levels[0].load_hits;
      return;
    }
    ++counters_.levels[0].load_misses;
    const bool dirty = fetch(1, core, line, true);
    insert(0, core, line, dirty);
  }

  void store(std::size_t k, std::uint32_t core, u64 line, u64 bytes) {
    if (k == memory_) return;
    const LevelGeometry& rule = rules_[k];
    if (at(k, core).hit(line, rule.store_promotes, rule.write_back)) {
      ++counters_.levels[k].store_hits;
      if (!rule.write_back) store_on(k, core, line, bytes);
      return;
    }
    ++counters_.levels[k].store_misses;
    const bool allocates = rule.allocate && rule.role != Role::victim;
    if (allocates) {
      const bool dirty = !evades_fetch(k, core, line) && fetch(k + 1, core, line, false);
      insert(k, core, line, dirty || rule.write_back);
    }
    if (!allocates || !rule.write_back) store_on(k, core, line, bytes);
  }

  // Of the store misses n = 1, 2, … of a set those with floor(n f) > floor((n - 1) f), f being given in millionths.
  bool evades_fetch(std::size_t k, std::uint32_t core, u64 line) {
    const LevelGeometry& rule = rules_[k];
    if (rule.evasion == 0 || !rule.write_back) return false;
    const u64 n = ++store_misses_[k][core / rule.shared_by][at(k, core).set_of(line)];
    return n * rule.evasion / 1'000'000 > (n - 1) * rule.evasion / 1'000'000;
  }

  void store_on(std::size_t k, std::uint32_t core, u64 line, u64 bytes) {
    flow(k + 1, line).write_through += bytes;
    store(k + 1, core, line, bytes);
  }

  void nontemporal(std::uint32_t core, u64 line, u64 bytes, u64 touched) {
    bool dirty = false, others = false;
    for (std::size_t k = 0; k < memory_; ++k) {
      for (Cache& cache : caches_[k]) {
        const std::optional<bool> gone = cache.erase(line);
        dirty = dirty || gone.value_or(false);
        others = others || (gone && &cache != &at(k, core));
      }
    }
    if (others) invalidated(core, line, touched);
    flow(memory_, line).nontemporal += dirty ? line_bytes_ : bytes;
  }

  // ------------------------------------------------------------------------------------------ what cores do to each
  // other

  // A store: no other core keeps a copy. What was dirty goes down to where the two cores' ways meet.
  void claim(std::uint32_t core, u64 line, u64 touched) {
    bool others = false;
    for (std::size_t k = 1; k <= memory_; ++k) {
      for (const std::size_t i : beside(k, core)) {
        const Copies gone = take(k - 1, i, line, true);
        others = others || gone.any;
        if (gone.dirty) receive(k, core, line);
      }
    }
    if (others) invalidated(core, line, touched);
  }

  // A fetch reaches level k: another core's dirty copy goes down to it first, and stays, clean.
  void snoop(std::size_t k, std::uint32_t core, u64 line) {
    for (const std::size_t i : beside(k, core)) {
      if (!take(k - 1, i, line, false).dirty) continue;
      ++sharing_[array_of(line)].dirty_transfers;
      receive(k, core, line);
    }
  }

  struct Copies {
    bool any = false, dirty = false;
  };
  // Cache i of level k and all above it give up their copies, or only the dirtiness. Dirty data pass down, once.
  Copies take(std::size_t k, std::size_t i, u64 line, bool removes) {
    Copies all;
    if (k > 0) {
      for (const std::size_t above : inside(k, i)) {
        const Copies copies = take(k - 1, above, line, removes);
        all = {all.any || copies.any, all.dirty || copies.dirty};
      }
    }
    Cache& cache = caches_[k][i];
    if (removes) {
      const std::optional<bool> gone = cache.erase(line);
      all = {all.any || gone, all.dirty || gone.value_or(false)};
    } else if (cache.clean_line(line)) {
      all = {true, true};
    }
    if (all.dirty) flow(k + 1, line).write_back += line_bytes_;
    return all;
  }

  // The caches of level k - 1 that lie within cache i of level k (all, within memory).
  [[nodiscard]] std::vector<std::size_t> inside(std::size_t k, std::size_t i) const {
    std::vector<std::size_t> found;
    for (std::size_t above = 0; above < caches_[k - 1].size(); ++above) {
      if (k == memory_ || above * rules_[k - 1].shared_by / rules_[k].shared_by == i) found.push_back(above);
    }
    return found;
  }
  // Those that lie within the core's cache of level k, without its own.
  [[nodiscard]] std::vector<std::size_t> beside(std::size_t k, std::uint32_t core) const {
    std::vector<std::size_t> found = inside(k, k == memory_ ? 0 : core / rules_[k].shared_by);
    std::erase(found, core / rules_[k - 1].shared_by);
    return found;
  }

  void invalidated(std::uint32_t core, u64 line, u64 touched) {
    SharingCount& count = sharing_[array_of(line)];
    ++count.invalidations;
    if (!touched_.contains(line)) {
      if (touched_.size() < most_watched_lines) touched_[line].resize(cores_);
      return;
    }
    u64 others = 0;
    for (std::uint32_t c = 0; c < cores_; ++c) others |= c == core ? 0 : touched_[line][c];
    if ((others & touched) != 0) {
      ++count.true_sharing;
    } else if (others != 0) {
      ++count.false_sharing;
    }
  }

  // Bytes [from, to) of a line, one bit for each 1/64 of it.
  [[nodiscard]] u64 mask(u64 from, u64 to) const {
    u64 bits = 0;
    for (u64 byte = from; byte < to; ++byte) bits |= u64{1} << (byte / std::max<u64>(1, line_bytes_ / 64));
    return bits;
  }

  // ------------------------------------------------------------------------------------------ between levels

  // The level above level k asks for a line. Returns whether it arrives dirty.
  bool fetch(std::size_t k, std::uint32_t core, u64 line, bool demand) {
    snoop(k, core, line);
    bool arrives_dirty = false;
    if (k < memory_) {
      Cache& cache = at(k, core);
      const LevelGeometry& rule = rules_[k];
      LevelCount& count = counters_.levels[k];
      if (cache.holds(line)) {
        ++(demand ? count.load_hits : count.store_hits);
        if (rule.role == Role::victim && !rule.victim_copies) {
          arrives_dirty = *cache.erase(line);
        } else {
          cache.hit(line, true, false);
        }
      } else {
        ++(demand ? count.load_misses : count.store_misses);
        const bool dirty = fetch(k + 1, core, line, demand);
        if (rule.role == Role::victim) return dirty;  // the line passes by, unseen at this boundary
        insert(k, core, line, dirty);
      }
    }
    Flow& moved = flow(k, line);
    (demand ? moved.demand_fills : moved.write_allocate) += line_bytes_;
    return arrives_dirty;
  }

  // A line that may be there: a victim cache can have kept a copy, or have got one from another core.
  void insert_victim(std::size_t k, std::uint32_t core, u64 line, bool dirty) {
    if (!at(k, core).hit(line, true, dirty)) insert(k, core, line, dirty);
  }

  // A line that is not there.
  void insert(std::size_t k, std::uint32_t core, u64 line, bool dirty) {
    for (const Cache::Out& out : at(k, core).insert(line, dirty)) send_out(k, core, out.line, out.dirty);
  }

  void send_out(std::size_t k, std::uint32_t core, u64 line, bool dirty) {
    if (rules_[k].role == Role::inclusive && k > 0) {
      for (const std::size_t above : inside(k, core / rules_[k].shared_by)) {
        if (take(k - 1, above, line, true).dirty) dirty = true;
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

  // A whole dirty line comes from the level above level k.
  void receive(std::size_t k, std::uint32_t core, u64 line) {
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
      if (rule.writeback_miss == WritebackMiss::fetch) fetch(k + 1, core, line, false);
      insert(k, core, line, rule.write_back);
    }
    if (!rule.write_back) {
      flow(k + 1, line).write_through += line_bytes_;
      receive(k + 1, core, line);
    }
  }

  Cache& at(std::size_t k, std::uint32_t core) { return caches_[k][core / rules_[k].shared_by]; }

  [[nodiscard]] std::size_t array_of(u64 line) const {
    std::size_t array = 0;  // the last region that starts at or before the line's last byte
    const u64 last_byte = ((line + 1) << shift_) - 1;
    while (array + 1 < regions_.size() && regions_[array + 1].start <= last_byte) ++array;
    return array;
  }
  Flow& flow(std::size_t boundary, u64 line) { return counters_.flows[boundary][array_of(line)]; }

  int shift_;
  u64 line_bytes_;
  std::vector<Region> regions_;
  std::vector<LevelGeometry> rules_;
  std::size_t memory_;
  std::uint32_t cores_;
  Counters counters_;
  std::vector<SharingCount> sharing_;
  std::vector<std::vector<Cache>> caches_;                     // [level][cache]
  std::vector<std::vector<std::map<u64, u64>>> store_misses_;  // [level][cache][set], where fetches are evaded
  std::map<u64, std::vector<u64>> touched_;                    // [line][core]: bytes, of the lines that are watched
};

}  // namespace

std::unique_ptr<CoresHierarchy> make_naive_cores(const Geometry& geometry, const std::vector<Region>& regions,
                                                 std::uint32_t cores) {
  return std::make_unique<NaiveCores>(geometry, regions, cores);
}

}  // namespace mansard
