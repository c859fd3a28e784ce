// Searches schedules for the least predicted time: layer conditions propose, simulation decides.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/comparison.hpp"
#include "study/run.hpp"

namespace mansard {

struct TuneOptions {
  std::size_t simulations = 16;                      ///< at most
  Seconds budget{45};                                ///< for all of them; what has been found by then is the result
  std::size_t best = 5;                              ///< how many are reported
  std::function<void(const std::string&)> progress;  ///< what is being tried
};

struct Tuning {
  std::vector<Variant> best;  ///< the least predicted time first; `name` is the schedule
  Variant plain;  ///< the program as written; its summary is proposed, not simulated, where `plain_known` is false
  bool plain_known = false;
  double space = 0;  ///< schedules that the axes span
  std::size_t proposed = 0, simulated = 0;
  bool out_of_budget = false;
};

/// The axes: for each loop of the deepest band of affine loops a tile size, an order of the loops, unroll factors of
/// the loops that are not innermost, and streaming stores for each array that is only written.
Tuning tune(const RunRequest& request, const TuneOptions& options);

std::string tuning_table(const Tuning& tuning);

}  // namespace mansard
