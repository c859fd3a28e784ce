// Searches schedules for the least predicted time: layer conditions propose, simulation decides. What is looked at, and
// with it the result, depends on the request alone and not on the clock.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "report/comparison.hpp"
#include "study/run.hpp"
#include "study/tune_space.hpp"

namespace mansard {

struct TuneOptions {
  std::size_t simulations = 24;  ///< schedules that are simulated, at most
  /// For the whole search, at `lookups_per_second`: proposals and proofs count as look-ups, too.
  Seconds budget{45};
  std::size_t best = 5;                              ///< how many are reported
  TuneLists lists;                                   ///< what the axes offer
  std::function<void(const std::string&)> progress;  ///< what is being tried
};

struct Tuned {
  Variant variant;    ///< `name` is the schedule
  double seconds;     ///< predicted, of the whole program
  bool whole = true;  ///< false: the summary is that of a part, from cold caches
};

struct Tuning {
  std::vector<Tuned> best;       ///< the least time first, but those simulated in part last
  std::optional<double> plain;   ///< seconds that the program as written takes
  bool plain_simulated = false;  ///< else layer conditions say so
  std::optional<double> floor;   ///< seconds in which no schedule can be done: flops at their peak
  double space = 0;              ///< points that the axes span
  std::size_t proposed = 0, simulated = 0;
  bool out_of_budget = false;
};

/// The axes: for each loop of the deepest band of affine loops a tile size and an unroll factor, an order of the loops
/// and one of the tile loops, SIMD across unrolled copies, streaming stores for each array that is only written, packed
/// copies of arrays that are only read, and padded rows.
Tuning tune(const RunRequest& request, const TuneOptions& options);

std::string tuning_table(const Tuning& tuning);

}  // namespace mansard
