// A machine as described in its YAML file: figures that are not known are absent, never zero.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "input/diagnostic.hpp"
#include "machine/gpu.hpp"
#include "units/energy.hpp"
#include "units/quantity.hpp"

namespace mansard {

enum class Role : std::uint8_t { nine, inclusive, victim };
enum class WritebackMiss : std::uint8_t { allocate, fetch, forward };
enum class Duplex : std::uint8_t { half, full };  ///< half: both directions share the path; full: the larger counts

constexpr std::uint64_t prefetch_page = 4096;  ///< bytes: no prefetcher reaches beyond the page of the access

/// Lines that a level asks for before they are used; see docs/bytes.md.
struct Prefetch {
  bool adjacent = false;       ///< after a miss, the other line of the aligned pair
  std::uint32_t streams = 0;   ///< followed at a time
  std::uint32_t distance = 0;  ///< lines ahead of a stream
  [[nodiscard]] bool any() const { return adjacent || streams > 0; }
};

/// Where virtual pages lie in memory, which decides on the sets of large caches.
struct Pages {
  std::uint64_t size = 0;  ///< bytes, a power of two; each lies anywhere. 0: memory is contiguous
  std::uint64_t seed = 1;
};

/// Write-allocate evasion: millionths of the fetches of missing stores that do not happen, by number of cores in use.
using Evasion = std::map<std::uint32_t, std::uint32_t>;
/// Linear between the numbers given, to the nearest millionth; beyond them the nearest one's. None: 0.
std::uint32_t evasion_of(const Evasion& by_cores, std::uint32_t cores);

/// The path between a level and the one nearer the core.
struct Link {
  std::optional<BytesPerCycle> load, evict;
  Duplex duplex = Duplex::half;
};

struct CacheLevel {
  std::string name;  ///< "L1"
  std::uint64_t size = 0, sets = 0;
  std::uint32_t ways = 0, line = 64;
  std::uint32_t sector = 0;  ///< bytes; 0: a line is filled as a whole
  bool assumed = false;      ///< ways or sets are not known but assumed: every report warns
  std::string replacement = "lru";
  Role role = Role::nine;
  bool write_back = true;
  bool allocate = true;
  bool store_promotes = true;
  WritebackMiss writeback_miss = WritebackMiss::allocate;
  bool victim_copies = false;
  std::vector<std::uint64_t> hash;  ///< masks of address bits, one for each bit of the set's number; or none: modulo
  Evasion evasion;
  Prefetch prefetch;
  std::uint32_t shared_by = 1;  ///< cores
  Link link;                    ///< towards the core; unused at L1 (see Core)
  Position at;

  /// Bytes that move at once: of a sector, or of a line without.
  [[nodiscard]] std::uint32_t granule() const { return sector > 0 ? sector : line; }
};

/// A translation look-aside buffer: translations of the pages used last.
struct TlbLevel {
  std::string name;  ///< "DTLB"
  std::uint32_t entries = 1, ways = 1;
  std::uint64_t page = 4096;  ///< bytes, a power of two; the same at all levels
  std::string replacement = "lru";
};

/// Memory bandwidth with one mix of streams, in bytes moved (write-allocate included).
struct Bandwidth {
  std::optional<BytesPerSecond> core, domain, socket;  ///< one core; saturated in one memory domain; whole socket
};

struct Memory {
  std::string name = "DRAM";
  std::optional<Seconds> latency;
  std::optional<BytesPerSecond> spec;          ///< theoretical, per socket
  std::map<std::string, Bandwidth> bandwidth;  ///< by mix: load, copy, update, triad, daxpy
  /// A line stored past the caches waits in a core's line fill buffers as long as a fetched one does.
  bool streams_wait = false;
  std::uint32_t write_combining = 0;  ///< buffers of a core for streaming stores; 0: as many as it takes
  /// Cycles that a line waits for each other core that asks, where the interface is busy (model/scaling.hpp).
  std::optional<double> penalty;
  std::optional<std::string> mix;  ///< the one to use; absent: the nearest to each kernel's
};

/// Dynamic energy; absent where it is not known.
struct Energy {
  std::optional<JoulesPerFlop> flop;
  std::vector<std::optional<JoulesPerByte>> levels;  ///< of the bytes over the boundary towards the core; memory last
  [[nodiscard]] bool any() const {
    return flop || std::any_of(levels.begin(), levels.end(), [](const auto& level) { return level.has_value(); });
  }
};

/// Instructions per cycle; absent where the core has no such unit (no fma on Sandy Bridge) or it is not known.
struct Throughput {
  std::optional<double> loads, stores, fma, add, mul, div, sqrt;
};

struct Core {
  std::optional<std::uint32_t>
      registers;                  ///< SIMD registers that instructions can name; without, values are never spilled
  std::uint32_t simd = 32;        ///< bytes of a SIMD register
  Throughput per_cycle;           ///< of full-width SIMD instructions
  Throughput scalar;              ///< of scalar instructions; where absent, as per_cycle
  bool separate_add = false;      ///< sums have ports of their own, beside those of products and fma
  bool split_loads_wait = false;  ///< SIMD loads that cross lines wait for earlier stores (model/split_loads.hpp)
  std::map<std::string, double> latency;  ///< cycles: add, mul, fma, div, sqrt, load, simd_load
  std::optional<std::string> llvm_mca;
};

struct Machine {
  std::string id;  ///< the file's stem
  std::string name;
  std::string kind = "cpu";
  Hertz clock;
  std::uint32_t sockets = 1, cores = 1, domains = 1;  ///< cores and memory domains per socket
  Core core;
  std::optional<Gpu>
      gpu;  ///< of kind gpu: in place of core, cores, caches, memory and all below but the launch, gap and sources
  std::vector<CacheLevel> caches;  ///< from the core outward, at least one
  std::vector<TlbLevel> tlb;       ///< from the core outward; may be empty
  Memory memory;
  Energy energy;
  std::vector<std::string> serial;  ///< boundaries ("REG-L1", "L1-L2", …) whose transfer times add in ECM
  std::optional<Seconds> launch;    ///< start-up time of a kernel, for `roofline`
  Pages pages;
  std::uint64_t layout_gap = 4096 + 21 * 64;   ///< bytes between arrays, see design "Placement"
  std::map<std::string, std::string> sources;  ///< where figures come from
  std::vector<std::string> warnings;

  /// "REG-L1", "L1-L2", …, "L3-DRAM": index 0 … caches.size().
  [[nodiscard]] std::string boundary(std::size_t index) const;
  /// "L1", "L2", …, "DRAM".
  [[nodiscard]] std::string level(std::size_t index) const;
};

}  // namespace mansard
