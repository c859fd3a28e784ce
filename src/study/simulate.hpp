// One simulation: a program walked through a hierarchy, nest by nest, in steady state or cold.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "cache/geometry.hpp"
#include "model/result.hpp"
#include "stream/program.hpp"
#include "units/quantity.hpp"

namespace mansard {

struct SimulateOptions {
  bool cold = false;               ///< start empty; false: run everything once unmeasured, then measure
  bool drain = true;               ///< with cold: write dirty lines back at the end (counted in the last nest)
  bool naive = false;              ///< the plain twin instead of the production hierarchy
  bool warp = true;                ///< fast-forward over proven repetition
  unsigned threads = 1;            ///< >= 1; the counts do not depend on it
  std::optional<unsigned> sample;  ///< one set in so many; the counts are estimates then
  /// Called now and then with the accesses done so far (warm-up included).
  std::function<void(std::uint64_t)> progress;
  /// Stop soon after so many look-ups, warm-up included; for one thread.
  std::optional<std::uint64_t> most_lookups;
};

struct Simulation {
  std::vector<NestResult> nests;
  std::uint64_t lookups = 0;      ///< look-ups that the measured accesses took
  std::uint64_t all_lookups = 0;  ///< warm-up included
  std::uint64_t dirty_left = 0;   ///< distinct lines still dirty at the end
  Seconds seconds;                ///< wall time of the simulation, warm-up included
  bool complete = true;           ///< false: stopped by `most_lookups`; the counts are those of what had run by then
  unsigned threads = 1;           ///< that took part: there may be fewer ways to share the sets
  /// When sampled, of each boundary behind a cache: (largest - smallest) / mean of the bytes in the samples.
  std::vector<double> spread;
};

/// Throws InputError if an index read falls outside its table, or the sets cannot be sampled so.
Simulation simulate(const Program& program, const Geometry& geometry, const SimulateOptions& options);

}  // namespace mansard
