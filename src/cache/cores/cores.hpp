// The hierarchy of several cores: private and shared caches, and what cores do to each other's copies.
// What is counted is said in docs/bytes.md, "Several cores".
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cache/counters.hpp"
#include "cache/geometry.hpp"
#include "stream/cores.hpp"
#include "stream/program.hpp"

namespace mansard {

/// What cores did to each other's copies of the lines of one array.
struct SharingCount {
  std::uint64_t invalidations = 0;    ///< stores that took a line out of other cores' caches
  std::uint64_t false_sharing = 0;    ///< of these: to bytes that no other core is known to use
  std::uint64_t true_sharing = 0;     ///< of these: to bytes that another core is known to use; the rest is not known
  std::uint64_t dirty_transfers = 0;  ///< fetches of a line that another core had dirty
  SharingCount& operator+=(const SharingCount& o);
  SharingCount& operator-=(const SharingCount& o);
  friend bool operator==(const SharingCount&, const SharingCount&) = default;
};

/// Who touched which bytes is watched from a line's first invalidation on, for so many lines; to 1/64 of a line.
inline constexpr std::size_t most_watched_lines = std::size_t{1} << 16U;

/// Implementations: make_cores and its naive twin. Core c uses cache c / shared_by of each level. Counters are totals.
class CoresHierarchy {
 public:
  virtual ~CoresHierarchy() = default;
  virtual void consume(std::uint32_t core, const Batch& batch) = 0;
  [[nodiscard]] virtual const Counters& counters() const = 0;  ///< since construction; subtract snapshots
  [[nodiscard]] virtual const std::vector<SharingCount>& sharing() const = 0;  ///< [array], since construction
  virtual void drain() = 0;                                                    ///< as Hierarchy
  [[nodiscard]] virtual std::uint64_t dirty_lines() const = 0;  ///< distinct lines that are dirty somewhere
  [[nodiscard]] virtual std::uint64_t lookups() const = 0;      ///< look-ups done, against accesses accounted
  /// Give it to the CoresWalker that feeds this hierarchy. Null if the hierarchy wants to see every access.
  virtual StepHook* step_hook() { return nullptr; }
};

/// Throws InputError unless caches nest (a cache shared by some cores lies within one cache of the next level), all
/// caches together hold at most 2^31 lines, and none has sectors or a prefetcher.
void check_caches(const Geometry& geometry, std::uint32_t cores);

/// `geometry` as check_caches wants it; `cores` at least 1.
std::unique_ptr<CoresHierarchy> make_cores(const Geometry& geometry, const std::vector<Region>& regions,
                                           std::uint32_t cores, bool fast_forward = true);
std::unique_ptr<CoresHierarchy> make_naive_cores(const Geometry& geometry, const std::vector<Region>& regions,
                                                 std::uint32_t cores);

}  // namespace mansard
