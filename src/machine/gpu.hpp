// What a GPU has in place of cores: multiprocessors (SMs, CUs) that run blocks of threads in warps, and caches that
// move sectors. Figures that are not known are absent, never zero.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "input/diagnostic.hpp"
#include "units/quantity.hpp"

namespace mansard {

/// Memory of one SM that its blocks share among their threads (shared memory, LDS).
struct SharedMemory {
  std::uint64_t size = 0;                  ///< bytes, of an SM, that blocks can have at most
  std::uint64_t per_block = 0;             ///< bytes that one block can have at most
  std::uint64_t reserved = 0;              ///< bytes that the system takes for each block
  std::uint64_t granule = 256;             ///< bytes in which it is allotted
  bool carved_from_l1 = false;             ///< what blocks take is missing in the L1
  std::vector<std::uint64_t> steps;        ///< bytes that can be carved, ascending up to `size`; empty: any number
  std::uint32_t banks = 32, bank = 4;      ///< bytes wide each
  std::optional<BytesPerCycle> bandwidth;  ///< of one SM
};

/// One streaming multiprocessor (SM) or compute unit (CU).
struct Multiprocessor {
  std::uint32_t count = 1;  ///< of the whole GPU, over all dies
  std::uint32_t warp = 32;  ///< threads that execute one instruction together (wavefront)
  std::uint32_t max_threads = 2048, max_blocks = 32, max_block_threads = 1024;
  std::uint32_t registers = 65536;            ///< 32-bit ones, of an SM
  std::uint32_t register_granule = 256;       ///< registers in which they are allotted to a warp
  std::uint32_t max_registers = 255;          ///< of one thread
  std::optional<double> issue;                ///< warp instructions per cycle
  std::uint32_t load_store_lanes = 32;        ///< 4-byte words that the load/store path moves in a cycle
  std::optional<std::uint32_t> double_lanes;  ///< the same where each thread moves 8 B; absent: as load_store_lanes
  std::uint32_t l1_banks = 16, l1_bank = 8;   ///< of the L1's data array; bytes wide each
  double tag_lines = 4;                       ///< distinct lines that the L1 looks up in a cycle
  SharedMemory shared;
};

/// Who has a cache of this kind to itself.
enum class CacheScope : std::uint8_t { sm, die, gpu };

struct GpuCache {
  std::string name;                     ///< "L1"
  std::uint64_t size = 0;               ///< bytes, of one instance
  std::optional<std::uint64_t> usable;  ///< bytes up to which data are found in it, measured; else `size`
  std::uint32_t ways = 16, line = 128;
  std::uint32_t sector = 32;  ///< bytes that are filled at once; = line where there are no sectors
  bool assumed = false;       ///< ways are not known but assumed: every report warns
  CacheScope scope = CacheScope::gpu;
  bool write_back = true;                  ///< false: stores go on to the next level
  bool allocate = true;                    ///< false: a store that misses leaves no trace
  bool written_first = false;              ///< sectors that were written as a whole are the first to leave
  std::uint32_t partitions = 1;            ///< whose contents double where both read the same data: see `duplicated`
  bool duplicated = false;                 ///< each partition keeps its own copy of what its SMs read
  bool memory_side = false;                ///< belongs to the memory: shared by all dies, sees all of their traffic
  std::optional<BytesPerCycle> bandwidth;  ///< per SM (of an L1)
  std::map<std::string, BytesPerSecond> measured;  ///< whole GPU, by mix: read, scale, init
  std::optional<double> latency;                   ///< cycles
  std::optional<double> far_latency;               ///< cycles, to the other partition
  Position at;
};

struct GpuMemory {
  std::string name = "HBM";
  std::optional<BytesPerSecond> spec;
  std::map<std::string, BytesPerSecond> measured;  ///< by mix: read, scale (one read, one write), init (writes only)
  std::optional<Seconds> latency;                  ///< of reads, loaded: what Little's law needs
  std::uint32_t fetch = 64, store = 32;            ///< bytes that are read and written at once
};

/// Translations of large pages that are at hand; beyond, time is longer than volumes explain.
struct GpuPages {
  std::uint64_t page = 2 << 20;           ///< bytes
  std::optional<std::uint64_t> in_reach;  ///< pages that one SM may use at a time before it slows down
};

/// Operations per second of the whole GPU, an FMA counting two.
struct GpuRates {
  std::map<std::string, FlopsPerSecond> vector;  ///< by type: fp64, fp32, fp16
  std::map<std::string, FlopsPerSecond> tensor;  ///< by type
};

struct Gpu {
  Multiprocessor sm;
  std::uint32_t dies = 1;        ///< SMs, and caches of scope die, are divided among them; blocks are dealt out in turn
  std::vector<GpuCache> caches;  ///< from the SM outward
  GpuMemory memory;
  GpuRates rates;
  GpuPages pages;
  double overlap = 0.4;  ///< alpha: share of the times that do not bind which is not hidden behind the one that does
  std::optional<Seconds> launch;  ///< start-up time of a kernel

  /// Caches of a kind that there are.
  [[nodiscard]] std::uint32_t instances(CacheScope scope) const {
    return scope == CacheScope::sm ? sm.count : scope == CacheScope::die ? dies : 1;
  }
};

}  // namespace mansard
