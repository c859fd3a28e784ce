// The same program with smaller and larger caches: between them lies what hardware does near a layer condition's edge.
#pragma once

#include <future>
#include <vector>

#include "machine/machine.hpp"
#include "model/result.hpp"
#include "stream/program.hpp"
#include "study/simulate.hpp"

namespace mansard {

/// The machine with all caches `scale` times as large: ways stay, sets follow.
Machine scaled(Machine machine, double scale);

/// Simulations at both ends of the smear (model/layer_condition.hpp). That with the larger caches, the longer one, runs
/// on a thread of its own from the start; the other one when the results are asked for.
class SmearedRuns {
 public:
  /// `program` has to live as long as this.
  SmearedRuns(const Program& program, const Machine& machine, const SimulateOptions& options);
  /// Of the nests, for each end. Once.
  std::vector<std::vector<NestResult>> results();

 private:
  const Program& program_;
  Geometry less_;
  SimulateOptions options_;
  std::future<Simulation> more_;
};

}  // namespace mansard
