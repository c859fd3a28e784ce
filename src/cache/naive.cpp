// The plain twin of the production hierarchy, and its definition: what docs/bytes.md says, sentence by sentence, one
// element and one line at a time. It shares nothing with the other but the interface, so that tests can hold the two
// against each other. Keep it obvious; a set is a row of lines, newest first, searched from the front.
#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "cache/geometry.hpp"
#include "cache/policy.hpp"

namespace mansard {
namespace {

using u64 = std::uint64_t;
constexpr int absent = -1;

struct Cache {
  LevelGeometry is;
  bool renews;             // a use makes a line the newest: LRU. Otherwise FIFO.
  std::vector<u64> lines;  // [set * ways + place], each line * 2 + dirty
  std::vector<int> used;   // [set] places in use

  explicit Cache(const LevelGeometry& g) : is(g), lines(g.sets * g.ways), used(g.sets) {
    const std::string_view policy = g.policy->name;
    if (policy != "lru" && policy != "fifo") throw std::invalid_argument("the naive twin has no policy " + std::string(policy));
    renews = policy == "lru";
  }
  u64* row(u64 line) { return &lines[line % is.sets * is.ways]; }
  int& count(u64 line) { return used[line % is.sets]; }

  int find(u64 line) {
    const u64* r = row(line);
    for (int place = 0, n = count(line); place < n; ++place) {
      if (r[place] >> 1 == line) return place;
    }
    return absent;
  }
  void put_first(u64* r, int place, u64 entry) {  // what was before `place` moves back by one
    if (place > 0) std::memmove(r + 1, r, static_cast<std::size_t>(place) * sizeof(u64));
    r[0] = entry;
  }
  void use(u64 line, int place) {
    u64* r = row(line);
    if (renews && place > 0) put_first(r, place, r[place]);
  }
  void mark(u64 line, int place) { row(line)[place] |= 1; }
  bool dirty(u64 line, int place) { return (row(line)[place] & 1) != 0; }
  void erase(u64 line, int place) {
    u64* r = row(line);
    const int behind = --count(line) - place;
    std::memmove(r + place, r + place + 1, static_cast<std::size_t>(behind) * sizeof(u64));
  }
};

class Naive final : public Hierarchy {
 public:
  Naive(const Geometry& geometry, const std::vector<Region>& regions)
      : shift_(std::countr_zero(geometry.line)),
        line_bytes_(geometry.line),
        regions_(regions),
        counters_(geometry.levels.size(), std::max<std::size_t>(regions.size(), 1)),
        memory_(geometry.levels.size()) {
    for (const LevelGeometry& level : geometry.levels) caches_.emplace_back(level);
  }

  void consume(const Batch& batch) override {
    if (const auto* elements = std::get_if<std::span<const Element>>(&batch)) {
      for (const Element& e : *elements) access(e.address, e.bytes, e.kind, e.array);
      return;
    }
    const Run& run = std::get<Run>(batch);
    for (u64 n = 0; n < run.count; ++n) {
      for (std::size_t r = 0; r < run.refs.size(); ++r) {
        const Int address = run.base[r] + static_cast<Int>(n) * run.stride[r];
        access(static_cast<u64>(address), run.refs[r].bytes, run.refs[r].kind, run.refs[r].array);
      }
    }
  }

  [[nodiscard]] const Counters& counters() const override { return counters_; }
  [[nodiscard]] u64 lookups() const override { return counters_.line_lookups; }

  void drain() override {
    for (std::size_t k = 0; k < memory_; ++k) {
      for (const u64 line : clean(caches_[k])) {
        for (std::size_t to = k + 1;; ++to) {
          flow(to, line).write_back += line_bytes_;
          if (to == memory_) break;
          const int place = caches_[to].find(line);
          if (place == absent) continue;
          caches_[to].mark(line, place);
          break;
        }
      }
    }
  }

  [[nodiscard]] u64 dirty_lines() const override {
    std::vector<u64> all;
    for (const Cache& cache : caches_) {
      for (const u64 line : clean(Cache(cache))) all.push_back(line);
    }
    std::sort(all.begin(), all.end());
    return static_cast<u64>(std::unique(all.begin(), all.end()) - all.begin());
  }

 private:
  // An element is one request, and one line look-up for each line that it touches.
  void access(u64 address, u64 bytes, Kind kind, std::size_t array) {
    Flow& asked = counters_.flows[0][array];
    if (kind == Kind::load) {
      ++counters_.loads;
      asked.demand_fills += bytes;
    } else if (kind == Kind::store) {
      ++counters_.stores;
      asked.write_back += bytes;
    } else {
      ++counters_.nontemporal_stores;
      asked.nontemporal += bytes;
    }
    const u64 end = address + bytes;
    for (u64 line = address >> shift_; line <= (end - 1) >> shift_; ++line) {
      ++counters_.line_lookups;
      if (kind == Kind::load) {
        load(line);
      } else {
        const u64 from = std::max(address, line << shift_), to = std::min(end, (line + 1) << shift_);
        kind == Kind::store ? store(0, line, to - from) : nontemporal(line, to - from);
      }
    }
  }

  void load(u64 line) {
    Cache& first = caches_[0];
    if (const int place = first.find(line); place != absent) {
      ++counters_.levels[0].load_hits;
      first.use(line, place);
      return;
    }
    ++counters_.levels[0].load_misses;
    const bool dirty = fetch(1, line, true);
    insert(0, line, dirty);
  }

  void store(std::size_t k, u64 line, u64 bytes) {
    if (k == memory_) return;
    Cache& cache = caches_[k];
    if (const int place = cache.find(line); place != absent) {
      ++counters_.levels[k].store_hits;
      if (cache.is.write_back) cache.mark(line, place);
      if (cache.is.store_promotes) cache.use(line, place);
      if (cache.is.write_back) return;
    } else {
      ++counters_.levels[k].store_misses;
      if (cache.is.allocate && cache.is.role != Role::victim) {
        const bool dirty = fetch(k + 1, line, false);
        insert(k, line, dirty || cache.is.write_back);
        if (cache.is.write_back) return;
      }
    }
    // write-through, or a miss that does not allocate: the bytes go on
    flow(k + 1, line).write_through += bytes;
    store(k + 1, line, bytes);
  }

  void nontemporal(u64 line, u64 bytes) {
    bool dirty = false;
    for (Cache& cache : caches_) {
      const int place = cache.find(line);
      if (place == absent) continue;
      dirty = dirty || cache.dirty(line, place);
      cache.erase(line, place);
    }
    flow(memory_, line).nontemporal += dirty ? line_bytes_ : bytes;
  }

  // The level above level k asks for a line. Returns whether it arrives dirty.
  bool fetch(std::size_t k, u64 line, bool demand) {
    bool arrives_dirty = false;
    if (k < memory_) {
      Cache& cache = caches_[k];
      LevelCount& count = counters_.levels[k];
      if (const int place = cache.find(line); place != absent) {
        ++(demand ? count.load_hits : count.store_hits);
        if (cache.is.role == Role::victim && !cache.is.victim_copies) {
          arrives_dirty = cache.dirty(line, place);
          cache.erase(line, place);
        } else {
          cache.use(line, place);
        }
      } else {
        ++(demand ? count.load_misses : count.store_misses);
        const bool dirty = fetch(k + 1, line, demand);
        if (cache.is.role == Role::victim) return dirty;  // the line passes by, unseen at this boundary
        insert(k, line, dirty);
      }
    }
    Flow& moved = flow(k, line);
    (demand ? moved.demand_fills : moved.write_allocate) += line_bytes_;
    return arrives_dirty;
  }

  void insert(std::size_t k, u64 line, bool dirty) {
    Cache& cache = caches_[k];
    if (const int place = cache.find(line); place != absent) {
      if (dirty) cache.mark(line, place);
      cache.use(line, place);
      return;
    }
    u64* row = cache.row(line);
    int& used = cache.count(line);
    const int ways = static_cast<int>(cache.is.ways);
    const bool full = used == ways;
    const u64 oldest = full ? row[ways - 1] : 0;
    if (!full) ++used;
    cache.put_first(row, used - 1, line << 1 | (dirty ? 1 : 0));
    if (full) send_out(k, oldest >> 1, (oldest & 1) != 0);
  }

  void send_out(std::size_t k, u64 line, bool dirty) {
    if (caches_[k].is.role == Role::inclusive) {
      bool dirty_above = false;
      for (std::size_t j = 0; j < k; ++j) {
        if (const int place = caches_[j].find(line); place != absent) {
          dirty_above = dirty_above || caches_[j].dirty(line, place);
          caches_[j].erase(line, place);
        }
        if (dirty_above) flow(j + 1, line).write_back += line_bytes_;
      }
      dirty = dirty || dirty_above;
    }
    if (dirty) {
      flow(k + 1, line).write_back += line_bytes_;
      receive(k + 1, line);
    } else if (k + 1 < memory_ && caches_[k + 1].is.role == Role::victim) {
      flow(k + 1, line).clean_victims += line_bytes_;
      insert(k + 1, line, false);
    }
  }

  // A whole dirty line comes from the level above level k.
  void receive(std::size_t k, u64 line) {
    if (k == memory_) return;
    Cache& cache = caches_[k];
    if (cache.is.role == Role::victim) {
      insert(k, line, true);
      return;
    }
    if (const int place = cache.find(line); place != absent) {
      if (cache.is.write_back) cache.mark(line, place);
      if (cache.is.store_promotes) cache.use(line, place);
    } else if (cache.is.writeback_miss == WritebackMiss::forward) {
      flow(k + 1, line).write_back += line_bytes_;
      receive(k + 1, line);
      return;
    } else {
      if (cache.is.writeback_miss == WritebackMiss::fetch) fetch(k + 1, line, false);
      insert(k, line, cache.is.write_back);
    }
    if (!cache.is.write_back) {
      flow(k + 1, line).write_through += line_bytes_;
      receive(k + 1, line);
    }
  }

  // Makes every line of a cache clean; returns those that were dirty.
  static std::vector<u64> clean(Cache&& cache) { return clean(cache); }
  static std::vector<u64> clean(Cache& cache) {
    std::vector<u64> dirty;
    for (u64 set = 0; set < cache.is.sets; ++set) {
      for (int place = 0; place < cache.used[set]; ++place) {
        u64& entry = cache.lines[set * cache.is.ways + static_cast<u64>(place)];
        if (entry & 1) dirty.push_back(entry >> 1);
        entry &= ~u64{1};
      }
    }
    return dirty;
  }

  Flow& flow(std::size_t boundary, u64 line) {
    std::size_t array = 0;  // the last region that starts at or before the line's last byte
    const u64 last_byte = ((line + 1) << shift_) - 1;
    while (array + 1 < regions_.size() && regions_[array + 1].start <= last_byte) ++array;
    return counters_.flows[boundary][array];
  }

  int shift_;
  u64 line_bytes_;
  std::vector<Region> regions_;
  Counters counters_;
  std::size_t memory_;
  std::vector<Cache> caches_;
};

}  // namespace

std::unique_ptr<Hierarchy> make_naive(const Geometry& geometry, const std::vector<Region>& regions) {
  return std::make_unique<Naive>(geometry, regions);
}

}  // namespace mansard
