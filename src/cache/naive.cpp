// The plain twin of the production hierarchy, and its definition: what docs/bytes.md says, sentence by sentence, one
// element and one line at a time. It shares nothing with the other but the interface, so that tests can hold the two
// against each other. Keep it obvious. A cache is in naive_cache.hpp; what passes between them is here.
#include <algorithm>
#include <bit>
#include <deque>
#include <map>

#include "cache/geometry.hpp"
#include "cache/naive_cache.hpp"
#include "cache/naive_prefetch.hpp"

namespace mansard {
namespace {

using naive::Cache, naive::u64;

enum class Cause : std::uint8_t { load, store, prefetch };  // of a fetch

class Naive final : public Hierarchy {
 public:
  Naive(const Geometry& geometry, const std::vector<Region>& regions)
      : shift_(std::countr_zero(geometry.line)),
        line_bytes_(geometry.line),
        regions_(regions),
        counters_(geometry.levels.size(), std::max<std::size_t>(regions.size(), 1)),
        memory_(geometry.levels.size()),
        combining_(geometry.combining) {
    for (const LevelGeometry& level : geometry.levels) {
      caches_.emplace_back(level, u64{geometry.line} * level.sectors);
      prefetching_.emplace_back(level.prefetch, geometry.line);
    }
    store_misses_.resize(memory_);
  }

  void consume(const Batch& batch) override {
    const auto one_by_one = [this](std::span<const Element> elements) {
      for (const Element& e : elements) {
        request(e.kind, e.bytes, e.array, 1);
        access(e.address, e.bytes, e.kind);
      }
    };
    if (const auto* elements = std::get_if<std::span<const Element>>(&batch)) return one_by_one(*elements);
    if (const auto* gather = std::get_if<Gather>(&batch)) {
      for (const StreamRef& ref : gather->refs) request(ref.kind, ref.bytes, ref.array, gather->count);
      const auto iterations = [&](u64 from, u64 to) {
        for (u64 n = from; n < to; ++n) {
          for (std::size_t r = 0; r < gather->refs.size(); ++r) {
            access(static_cast<u64>(gather->address(r, n)), gather->refs[r].bytes, gather->refs[r].kind);
          }
        }
      };
      return gather->visit_parts(iterations, one_by_one);
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
      const std::vector<u64> dirty = caches_[k].dirty_lines();
      caches_[k].clean();
      for (const u64 line : dirty) {
        for (std::size_t to = k + 1;; ++to) {
          flow(to, line).write_back += line_bytes_;
          if (to == memory_) break;
          if (caches_[to].hit(line, false, true)) break;
        }
      }
    }
    for (const OpenBuffer& buffer : buffers_) flow(memory_, buffer.line).nontemporal += line_bytes_;
    buffers_.clear();
  }

  [[nodiscard]] u64 dirty_lines() const override {
    std::vector<u64> all;
    for (const Cache& cache : caches_) {
      for (const u64 line : cache.dirty_lines()) all.push_back(line);
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
      looked_up(0, line, false);
    } else {
      load_miss(line);
      looked_up(0, line, true);
    }
  }

  [[gnu::noinline]] void load_miss(u64 line) {
    ++counters_.levels[0].load_misses;
    const bool dirty = fetch(1, line, Cause::load);
    insert(0, line, dirty);
  }

  void store(std::size_t k, u64 line, u64 bytes) {
    Cache& cache = caches_[k];
    if (cache.hit(line, cache.is.store_promotes, cache.is.write_back)) {
      ++counters_.levels[k].store_hits;
      if (!cache.is.write_back) store_on(k, line, bytes);
      looked_up(k, line, false);
    } else {
      store_miss(k, line, bytes);
      looked_up(k, line, true);
    }
  }

  [[gnu::noinline]] void store_miss(std::size_t k, u64 line, u64 bytes) {
    const LevelGeometry& cache = caches_[k].is;
    ++counters_.levels[k].store_misses;
    const bool allocates = cache.allocate && cache.role != Role::victim;
    if (allocates) {
      const bool dirty = !evades_fetch(k, line) && fetch(k + 1, line, Cause::store);
      insert(k, line, dirty || cache.write_back);
    }
    if (!allocates || !cache.write_back) store_on(k, line, bytes);
  }

  // Of the store misses n = 1, 2, … of a set those with floor(n f) > floor((n - 1) f), f being given in millionths.
  bool evades_fetch(std::size_t k, u64 line) {
    const Cache& cache = caches_[k];
    if (cache.is.evasion == 0 || !cache.is.write_back) return false;
    const u64 n = ++store_misses_[k][cache.set_of(line / cache.is.sectors)];
    return n * cache.is.evasion / 1'000'000 > (n - 1) * cache.is.evasion / 1'000'000;
  }

  // The bytes go on to the next level.
  [[gnu::noinline]] void store_on(std::size_t k, u64 line, u64 bytes) {
    flow(k + 1, line).write_through += bytes;
    if (k + 1 < memory_) store(k + 1, line, bytes);
  }

  [[gnu::noinline]] void nontemporal(u64 line, u64 bytes) {
    bool dirty = false;
    for (Cache& cache : caches_) dirty = cache.erase(line).value_or(false) || dirty;
    if (combining_ == 0) {
      flow(memory_, line).nontemporal += dirty ? line_bytes_ : bytes;
    } else {
      if (dirty) flow(memory_, line).nontemporal += line_bytes_;
      combine(line, bytes);
    }
  }

  void combine(u64 line, u64 bytes) {
    std::size_t b = 0;
    while (b < buffers_.size() && buffers_[b].line != line) ++b;
    if (b == buffers_.size() && b == combining_) {  // all are in use: the oldest makes room
      flow(memory_, buffers_[0].line).nontemporal += line_bytes_;
      buffers_.pop_front();
      --b;
    }
    if (b == buffers_.size()) buffers_.push_back({line, 0});
    buffers_[b].bytes += bytes;
    if (buffers_[b].bytes >= line_bytes_) {
      flow(memory_, line).nontemporal += line_bytes_;
      buffers_.erase(buffers_.begin() + static_cast<std::ptrdiff_t>(b));
    }
  }

  // The level above level k asks for a line. Returns whether it arrives dirty.
  bool fetch(std::size_t k, u64 line, Cause cause) {
    bool arrives_dirty = false, missed = false;
    if (k < memory_) {
      Cache& cache = caches_[k];
      LevelCount& count = counters_.levels[k];
      const bool moves = cache.is.role == Role::victim && !cache.is.victim_copies;
      missed = !cache.hit(line, !moves, false);
      if (cause == Cause::load) ++(missed ? count.load_misses : count.load_hits);
      if (cause == Cause::store) ++(missed ? count.store_misses : count.store_hits);
      if (missed) {
        const bool dirty = fetch(k + 1, line, cause);
        if (cache.is.role == Role::victim) return dirty;  // the line passes by, unseen at this boundary
        insert(k, line, dirty);
      } else if (moves) {
        arrives_dirty = cache.erase(line).value();
      }
    }
    Flow& moved = flow(k, line);
    (cause == Cause::load    ? moved.demand_fills
     : cause == Cause::store ? moved.write_allocate
                             : moved.prefetch) += line_bytes_;
    if (k < memory_ && cause != Cause::prefetch) looked_up(k, line, missed);
    return arrives_dirty;
  }

  // A load, a store or a fetch they caused has looked level k up, and all that followed has happened.
  void looked_up(std::size_t k, u64 line, bool missed) {
    if (!caches_[k].is.prefetch.any()) return;
    for (const u64 wanted : prefetching_[k].after(line, missed)) {
      if (caches_[k].holds(wanted)) continue;
      const bool dirty = fetch(k + 1, wanted, Cause::prefetch);
      insert(k, wanted, dirty);
    }
  }

  // A line that may be there: a victim cache can have kept a copy.
  void insert_victim(std::size_t k, u64 line, bool dirty) {
    if (!caches_[k].hit(line, true, dirty)) insert(k, line, dirty);
  }

  // A line that is not there.
  void insert(std::size_t k, u64 line, bool dirty) {
    for (const Cache::Out& out : caches_[k].insert(line, dirty)) send_out(k, out.line, out.dirty);
  }

  void send_out(std::size_t k, u64 line, bool dirty) {
    if (caches_[k].is.role == Role::inclusive) {
      bool dirty_above = false;
      for (std::size_t j = 0; j < k; ++j) {
        dirty_above = caches_[j].erase(line).value_or(false) || dirty_above;
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
      if (cache.is.writeback_miss == WritebackMiss::fetch) fetch(k + 1, line, Cause::store);
      insert(k, line, cache.is.write_back);
    }
    if (!cache.is.write_back) {
      flow(k + 1, line).write_through += line_bytes_;
      receive(k + 1, line);
    }
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
  struct OpenBuffer {
    u64 line, bytes;
  };
  std::size_t combining_;             // write-combining buffers, 0: as many as it takes
  std::deque<OpenBuffer> buffers_{};  // those in use, the oldest first
  std::vector<Cache> caches_;
  std::vector<naive::Prefetching> prefetching_;   // [cache]
  std::vector<std::map<u64, u64>> store_misses_;  // [cache][set], where fetches are evaded
};

}  // namespace

std::unique_ptr<Hierarchy> make_naive(const Geometry& geometry, const std::vector<Region>& regions) {
  return std::make_unique<Naive>(geometry, regions);
}

}  // namespace mansard
