// Everything that a report says about one run: one struct that all formats render, so that they cannot disagree.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cache/cores/cores.hpp"
#include "cache/counters.hpp"
#include "machine/machine.hpp"
#include "model/ceilings.hpp"
#include "model/ecm.hpp"
#include "model/energy.hpp"
#include "model/incore.hpp"
#include "model/multicore.hpp"
#include "model/result.hpp"
#include "model/roofline.hpp"
#include "report/gpu_part.hpp"
#include "report/layers.hpp"
#include "stream/program.hpp"
#include "workload/kernel.hpp"

namespace mansard {

/// What cores did to each other's copies of an array's lines.
struct ArraySharing {
  std::string name;
  SharingCount count;
};

/// How the run was made.
/// How a sampled run was sampled.
struct SampleInfo {
  unsigned one_in;             ///< sets
  std::vector<double> spread;  ///< [cache] of the traffic behind it: (largest - smallest) / mean of the samples
};

struct RunInfo {
  std::string version;
  bool cold = false, drained = false;
  bool exact = true;
  std::optional<SampleInfo> sample;  ///< if not exact
  std::uint32_t cores = 1;
  std::uint64_t lookups = 0;     ///< done for the accesses accounted
  std::uint64_t dirty_left = 0;  ///< lines, after a cold run that was not drained
  Seconds seconds;               ///< wall time of the simulation
  std::vector<std::string> warnings;
  std::vector<MulticorePoint> scaling;  ///< of several cores: ascending, the last one with those in use
  std::vector<ArraySharing> sharing;    ///< arrays that cores write-share
};

/// Bytes per update between which hardware moves near an edge.
struct Band {
  double low = 0, high = 0;
};

/// One boundary and the level behind it.
struct LevelSummary {
  RooflineLevel roof;
  Flow flow;
  std::optional<double> bytes_per_update;
  std::optional<LevelCount> lookups;  ///< of the cache named by the level; absent for memory
  std::optional<double> used;         ///< share of the time of the roof that binds, 0 … 1
  std::optional<Band> band;           ///< where an edge is near, see Smear
};

struct ArraySummary {
  std::string name;
  std::vector<Flow> flows;  ///< per boundary
};

struct TlbSummary {
  std::string name;
  std::uint64_t hits = 0, misses = 0;  ///< look-ups: one for each page that an access touches
};

/// The whole run, or one of its nests.
struct PartSummary {
  std::string name;
  Work work;
  std::uint64_t accesses = 0, line_lookups = 0;
  std::vector<LevelSummary> levels;  ///< from the core outward
  std::vector<ArraySummary> arrays;
  std::vector<TlbSummary> tlb;  ///< empty where the machine has none
  Roofline roofline;
  std::vector<Ceiling> ceilings;
  std::vector<CacheAwareRoof> cache_aware;
  std::optional<Ecm> ecm;              ///< absent without updates
  std::optional<EnergyUse> energy;     ///< absent where the machine gives no figure
  InCore core;                         ///< of the nest, or of the slowest nest
  std::optional<LayerSummary> layers;  ///< of one nest
  std::optional<GpuPart> gpu;          ///< of a GPU: in place of ecm and core
  std::vector<std::pair<std::string, std::string>> lines;  ///< label and text: what only GPUs have to say
  /// What binds: the core where ECM says so, else the roof that binds. Of the data paths the roofline names the better
  /// one, since a bandwidth measured with one core includes latencies that link widths do not know.
  [[nodiscard]] std::string bound_by() const;
};

/// A level as simulated: "64 sets × 8 ways × 64 B = 32 KiB, LRU, write-back, write-allocate, private".
struct CacheSummary {
  std::string name, description;
};

struct Summary {
  RunInfo run;
  struct {
    std::string id, name, kind, memory;
    Hertz clock;
    std::uint32_t cores_per_domain = 1;  ///< cores that share a memory domain
    std::vector<CacheSummary> caches;
    bool victim = false;  ///< the last cache is filled by evictions only
    std::vector<std::string> counters;  ///< of a GPU: what profilers call the bytes of each boundary
  } machine;
  struct {
    std::string name;
    std::vector<std::pair<std::string, Int>> parameters;
    std::vector<std::string> schedule;
  } workload;
  PartSummary total;
  std::vector<PartSummary> nests;  ///< empty where there is only one
  std::string verdict;             ///< one line: what binds, bytes, speed
  std::string advice;              ///< what would move it
  std::vector<std::string> warnings;
};

/// The ECM times of each nest, of all of its updates.
std::vector<EcmTimes> ecm_of(const Machine& machine, const Program& program, std::span<const NestResult> results);

/// `results` are those of the program's nests, in order. The counters must have the machine's levels and the program's
/// arrays. `smeared` are the results with other capacities (see Smear); without them there are no bands.
Summary summarize(const Machine& machine, const Kernel& kernel, const Program& program,
                  std::span<const NestResult> results, const RunInfo& run,
                  std::span<const std::vector<NestResult>> smeared = {});

}  // namespace mansard
