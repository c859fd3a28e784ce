// The plain twin of the production hierarchy, and its definition: what docs/bytes.md says, sentence by sentence, one
// element and one line at a time. It shares nothing with the other but the interface, so that tests can hold the two
// against each other. Keep it obvious; a set is a row of lines, newest first, searched from the front.
#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "cache/geometry.hpp"
#include "cache/policy.hpp"

namespace mansard {
namespace {

using u64 = std::uint64_t;
constexpr u64 empty = ~u64{0};  // no line: none is that large

struct Cache {
  LevelGeometry is;
  bool renews;             // a use makes a line the newest: LRU. Otherwise FIFO.
  std::vector<u64> lines;  // [set * ways + place], each line * 2 + dirty
  u64 mask;                // of a number of sets that is a power of two

  explicit Cache(const LevelGeometry& g)
      : is(g), lines(g.sets * g.ways, empty), mask(std::has_single_bit(g.sets) ? g.sets - 1 : 0) {
    const std::string_view policy = g.policy->name;
    renews = policy == "lru";
    if (!renews && policy != "fifo") throw std::invalid_argument("no naive twin of this policy");
  }

  u64* row(u64 line) { return &lines[(mask ? line & mask : line % is.sets) * is.ways]; }

  // The place of a line, null if it is not there.
  u64* find(u64 line) {
    u64* first = row(line);
    for (u64* place = first; place != first + is.ways; ++place) {
      if (*place >> 1 == line) return place;
    }
    return nullptr;
  }
  // What was before `place` moves back by one, over what was in it. (A loop: rows are too short for memmove.)
  static void put_first(u64* first, const u64* place, u64 entry) {
    for (u64* p = first; p <= place; ++p) std::swap(entry, *p);
  }
  // Is the line there? If so it may be used, which matters to LRU, and may become dirty.
  bool hit(u64 line, bool used, bool dirtied) {
    u64* first = row(line);
    for (u64* place = first; place != first + is.ways; ++place) {
      if (*place >> 1 != line) continue;
      if (dirtied) *place |= 1;
      if (used && renews && place != first) put_first(first, place, *place);
      return true;
    }
    return false;
  }
  void erase(u64 line, u64* place) {
    u64* end = row(line) + is.ways;
    std::memmove(place, place + 1, static_cast<std::size_t>(end - place - 1) * sizeof(u64));
    end[-1] = empty;
  }
};
bool is_dirty(const u64* place) { return (*place & 1) != 0; }

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
      for (const Element& e : *elements) {
        request(e.kind, e.bytes, e.array, 1);
        access(e.address, e.bytes, e.kind);
      }
      return;
    }
    if (const auto* gather = std::get_if<Gather>(&batch)) {
      for (const StreamRef& ref : gather->refs) request(ref.kind, ref.bytes, ref.array, gather->count);
      for (u64 n = 0; n < gather->count; ++n) {
        for (std::size_t r = 0; r < gather->refs.size(); ++r) {
          access(static_cast<u64>(gather->address(r, n)), gather->refs[r].bytes, gather->refs[r].kind);
        }
      }
      return;
    }
    const Run& run = std::get<Run>(batch);
    std::vector<Element> iteration;
    for (std::size_t r = 0; r < run.refs.size(); ++r) {
      const StreamRef& ref = run.refs[r];
      request(ref.kind, ref.bytes, ref.array, run.count);
      iteration.push_back({static_cast<u64>(run.base[r]), ref.array, ref.bytes, ref.kind});
    }
    for (u64 n = 0; n < run.count; ++n) {
      const Int* stride = run.stride.data();
      for (Element& e : iteration) {
        access(e.address, e.bytes, e.kind);
        e.address += static_cast<u64>(*stride++);
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
          if (caches_[to].hit(line, false, true)) break;
        }
      }
    }
  }

  [[nodiscard]] u64 dirty_lines() const override {
    std::vector<u64> all;
    for (const Cache& cache : caches_) {
      Cache copy = cache;
      for (const u64 line : clean(copy)) all.push_back(line);
    }
    std::sort(all.begin(), all.end());
    return static_cast<u64>(std::unique(all.begin(), all.end()) - all.begin());
  }

 private:
  // What the instructions ask for, whatever the caches do.
  void request(Kind kind, u64 bytes, std::size_t array, u64 times) {
    Flow& asked = counters_.flows[0][array];
    if (kind == Kind::load) {
      counters_.loads += times;
      asked.demand_fills += times * bytes;
    } else if (kind == Kind::store) {
      counters_.stores += times;
      asked.write_back += times * bytes;
    } else {
      counters_.nontemporal_stores += times;
      asked.nontemporal += times * bytes;
    }
  }

  // One line look-up for each line that the element touches.
  void access(u64 address, u64 bytes, Kind kind) {
    if ((address & (line_bytes_ - 1)) + bytes <= line_bytes_) {
      access_line(address >> shift_, bytes, kind);
    } else {
      access_lines(address, bytes, kind);
    }
  }

  [[gnu::noinline]] void access_lines(u64 address, u64 bytes, Kind kind) {
    const u64 end = address + bytes;
    for (u64 line = address >> shift_; line << shift_ < end; ++line) {
      const u64 from = std::max(address, line << shift_), to = std::min(end, (line + 1) << shift_);
      access_line(line, to - from, kind);
    }
  }

  void access_line(u64 line, u64 bytes, Kind kind) {
    ++counters_.line_lookups;
    if (kind == Kind::load) {
      load(line);
    } else if (kind == Kind::store) {
      store(0, line, bytes);
    } else {
      nontemporal(line, bytes);
    }
  }

  void load(u64 line) {
    if (caches_[0].hit(line, true, false)) {
      ++counters_.levels[0].load_hits;
    } else {
      load_miss(line);
    }
  }

  [[gnu::noinline]] void load_miss(u64 line) {
    ++counters_.levels[0].load_misses;
    const bool dirty = fetch(1, line, true);
    insert(0, line, dirty);
  }

  void store(std::size_t k, u64 line, u64 bytes) {
    Cache& cache = caches_[k];
    if (cache.hit(line, cache.is.store_promotes, cache.is.write_back)) {
      ++counters_.levels[k].store_hits;
      if (!cache.is.write_back) store_on(k, line, bytes);
    } else {
      store_miss(k, line, bytes);
    }
  }

  [[gnu::noinline]] void store_miss(std::size_t k, u64 line, u64 bytes) {
    const LevelGeometry& cache = caches_[k].is;
    ++counters_.levels[k].store_misses;
    const bool allocates = cache.allocate && cache.role != Role::victim;
    if (allocates) {
      const bool dirty = fetch(k + 1, line, false);
      insert(k, line, dirty || cache.write_back);
    }
    if (!allocates || !cache.write_back) store_on(k, line, bytes);
  }

  // The bytes go on to the next level.
  [[gnu::noinline]] void store_on(std::size_t k, u64 line, u64 bytes) {
    flow(k + 1, line).write_through += bytes;
    if (k + 1 < memory_) store(k + 1, line, bytes);
  }

  [[gnu::noinline]] void nontemporal(u64 line, u64 bytes) {
    bool dirty = false;
    for (Cache& cache : caches_) {
      u64* place = cache.find(line);
      if (!place) continue;
      dirty = dirty || is_dirty(place);
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
      if (u64* place = cache.find(line)) {
        ++(demand ? count.load_hits : count.store_hits);
        if (cache.is.role == Role::victim && !cache.is.victim_copies) {
          arrives_dirty = is_dirty(place);
          cache.erase(line, place);
        } else {
          cache.hit(line, true, false);
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

  // A line that may be there: a victim cache can have kept a copy.
  void insert_victim(std::size_t k, u64 line, bool dirty) {
    if (!caches_[k].hit(line, true, dirty)) insert(k, line, dirty);
  }

  // A line that is not there.
  void insert(std::size_t k, u64 line, bool dirty) {
    Cache& cache = caches_[k];
    u64* first = cache.row(line);
    u64* last = first + cache.is.ways - 1;
    const u64 oldest = *last;
    Cache::put_first(first, last, line << 1 | (dirty ? 1 : 0));
    if (oldest != empty) send_out(k, oldest >> 1, (oldest & 1) != 0);
  }

  void send_out(std::size_t k, u64 line, bool dirty) {
    if (caches_[k].is.role == Role::inclusive) {
      bool dirty_above = false;
      for (std::size_t j = 0; j < k; ++j) {
        if (u64* place = caches_[j].find(line)) {
          dirty_above = dirty_above || is_dirty(place);
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
      insert_victim(k + 1, line, false);
    }
  }

  // A whole dirty line comes from the level above level k.
  void receive(std::size_t k, u64 line) {
    if (k == memory_) return;
    Cache& cache = caches_[k];
    if (cache.is.role == Role::victim) {
      insert_victim(k, line, true);
      return;
    }
    if (!cache.hit(line, cache.is.store_promotes, cache.is.write_back)) {
      if (cache.is.writeback_miss == WritebackMiss::forward) {
        flow(k + 1, line).write_back += line_bytes_;
        receive(k + 1, line);
        return;
      }
      if (cache.is.writeback_miss == WritebackMiss::fetch) fetch(k + 1, line, false);
      insert(k, line, cache.is.write_back);
    }
    if (!cache.is.write_back) {
      flow(k + 1, line).write_through += line_bytes_;
      receive(k + 1, line);
    }
  }

  // Makes every line of a cache clean; returns those that were dirty.
  static std::vector<u64> clean(Cache& cache) {
    std::vector<u64> dirty;
    for (u64& entry : cache.lines) {
      if (entry == empty || !is_dirty(&entry)) continue;
      dirty.push_back(entry >> 1);
      entry &= ~u64{1};
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
