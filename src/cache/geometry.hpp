// The hierarchy as the simulator needs it: no units, no names, only what decides hits, fills and evictions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cache/counters.hpp"
#include "cache/share.hpp"
#include "machine/machine.hpp"
#include "stream/program.hpp"
#include "stream/walker.hpp"

namespace mansard {

struct Policy;

/// One cache level. See docs/bytes.md for what each choice does; `Role` and the switches are those of the machine file.
struct LevelGeometry {
  std::uint64_t sets = 1;
  std::uint32_t ways = 1;
  Role role = Role::nine;
  bool write_back = true;      ///< false: write-through
  bool allocate = true;        ///< a store miss fetches the line
  bool store_promotes = true;  ///< a store (or arriving write-back) that hits renews the line's recency
  WritebackMiss writeback_miss = WritebackMiss::allocate;
  bool victim_copies = false;  ///< victim role: a hit copies the line up instead of moving it
  const Policy* policy = nullptr;
  std::string parameters = {};           ///< of the policy
  std::vector<std::uint64_t> hash = {};  ///< masks of address bits, one for each bit of the set's number; or none
  std::uint32_t evasion = 0;             ///< millionths of the fetches of missing stores that do not happen
  Prefetch prefetch = {};
  Pages pages = {};             ///< where they make a difference to the sets
  std::uint32_t sectors = 1;    ///< of a line, at most 64
  std::uint32_t shared_by = 1;  ///< cores; where several are in use (cache/cores/cores.hpp)
};

struct Geometry {
  std::uint32_t line = 64;  ///< bytes that move: of a line, or of a sector where lines have some; the same everywhere
  std::vector<LevelGeometry> levels;
  std::uint32_t combining = 0;  ///< write-combining buffers of the core; 0: as many as it takes
  bool nontemporal = true;      ///< false: the program stores nothing non-temporally; then more can be fast-forwarded
};

/// Throws InputError if the policy is unknown (the loader normally has found that already).
/// `cores`: how many are in use, which some machines' write-allocate evasion depends on.
Geometry geometry_of(const Machine& machine, std::uint32_t cores = 1);

/// The TLBs of a machine as a hierarchy whose lines are pages. The machine must have some.
Geometry tlb_geometry_of(const Machine& machine);

/// Do the program's non-temporal stores go through a number of buffers, so that their order matters?
inline bool combines(const Geometry& geometry) { return geometry.combining > 0 && geometry.nontemporal; }

/// A simulated hierarchy. Implementations: the production one (make_hierarchy) and the naive twin (make_naive).
class Hierarchy {
 public:
  virtual ~Hierarchy() = default;
  virtual void consume(const Batch& batch) = 0;
  [[nodiscard]] virtual const Counters& counters() const = 0;  ///< since construction; subtract snapshots
  virtual void drain() = 0;  ///< writes every dirty line back to memory; lines stay cached, clean
  [[nodiscard]] virtual std::uint64_t dirty_lines() const = 0;  ///< distinct lines that are dirty somewhere
  [[nodiscard]] virtual std::uint64_t lookups() const = 0;      ///< look-ups done, against accesses accounted
  /// Give it to the Walker that feeds this hierarchy: it skips loop iterations that it can account for without seeing
  /// them. One program per hierarchy: what the hook learns of a loop it keeps. Null if the hierarchy wants to see every
  /// access.
  virtual LoopHook* loop_hook() { return nullptr; }
};

/// `regions` attributes lines to arrays: a line belongs to the last region that starts at or before its last byte,
/// and to the first region if it lies before all of them.
/// `fast_forward` false: every access is simulated, in reduced form (--no-warp).
/// `share`: only lines of it are simulated; requests are counted for all.
std::unique_ptr<Hierarchy> make_hierarchy(const Geometry& geometry, const std::vector<Region>& regions,
                                          bool fast_forward = true, const Share& share = {});
std::unique_ptr<Hierarchy> make_naive(const Geometry& geometry, const std::vector<Region>& regions);

}  // namespace mansard
