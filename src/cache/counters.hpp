// What a simulation counts: exact, unsigned 64-bit, per boundary, per array and per kind.
#pragma once

#include <cstdint>
#include <vector>

namespace mansard {

/// Bytes over one boundary, by kind. Boundary 0 is REG-L1, boundary k lies above level k (the caches are 0 … n-1,
/// memory is level n), so boundary k (k >= 1) is the path between cache k-1 and cache k or memory.
/// At REG-L1 demand_fills are the bytes loaded, write_back the bytes stored, nontemporal those stored non-temporally.
struct Flow {
  std::uint64_t demand_fills = 0, write_allocate = 0, prefetch = 0;                     // in
  std::uint64_t write_back = 0, clean_victims = 0, nontemporal = 0, write_through = 0;  // out
  [[nodiscard]] std::uint64_t in() const { return demand_fills + write_allocate + prefetch; }
  [[nodiscard]] std::uint64_t out() const { return write_back + clean_victims + nontemporal + write_through; }
  [[nodiscard]] std::uint64_t total() const { return in() + out(); }
  Flow& operator+=(const Flow& o);
  Flow& operator-=(const Flow& o);
  friend bool operator==(const Flow&, const Flow&) = default;
};

/// Line look-ups of one cache by demand (loads, stores and the fetches they cause); arriving write-backs and victims
/// are not look-ups. A store look-up is a store at L1 and a write-allocate fetch below.
struct LevelCount {
  std::uint64_t load_hits = 0, load_misses = 0, store_hits = 0, store_misses = 0;
  [[nodiscard]] std::uint64_t hits() const { return load_hits + store_hits; }
  [[nodiscard]] std::uint64_t misses() const { return load_misses + store_misses; }
  LevelCount& operator+=(const LevelCount& o);
  LevelCount& operator-=(const LevelCount& o);
  friend bool operator==(const LevelCount&, const LevelCount&) = default;
};

/// While it lives, misses that are counted are look-ups that were taken for hits before.
class TakenForHits {
 public:
  explicit TakenForHits(LevelCount& count) : count_(count) {
    count.load_hits += count.load_misses;
    count.store_hits += count.store_misses;
  }
  TakenForHits(const TakenForHits&) = delete;
  TakenForHits& operator=(const TakenForHits&) = delete;
  ~TakenForHits() {
    count_.load_hits -= count_.load_misses;
    count_.store_hits -= count_.store_misses;
  }

 private:
  LevelCount& count_;
};

struct Counters {
  std::uint64_t loads = 0, stores = 0, nontemporal_stores = 0;  ///< requests of elements
  std::uint64_t line_lookups = 0;  ///< at L1: an access that straddles a line is one request and two line look-ups
  std::vector<LevelCount> levels;  ///< [cache]
  std::vector<std::vector<Flow>> flows;             ///< [boundary][array]; boundaries = caches + 1
  std::vector<std::vector<std::uint64_t>> samples;  ///< [boundary][sample] bytes, when sampled; else empty
  std::uint64_t dirty_left = 0;  ///< lines still dirty somewhere, set by the caller at the end (distinct lines)

  Counters() = default;
  Counters(std::size_t caches, std::size_t arrays);
  [[nodiscard]] std::uint64_t requests() const { return loads + stores + nontemporal_stores; }
  [[nodiscard]] Flow boundary(std::size_t b) const;  ///< summed over the arrays
  Counters& operator+=(const Counters& o);
  Counters& operator-=(const Counters& o);
  friend Counters operator-(Counters a, const Counters& b) { return a -= b; }
  friend bool operator==(const Counters&, const Counters&) = default;
};

}  // namespace mansard
