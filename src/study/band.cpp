#include "study/band.hpp"

#include <algorithm>
#include <cmath>

#include "cache/geometry.hpp"
#include "model/layer_condition.hpp"

namespace mansard {

Machine scaled(Machine machine, double scale) {
  for (CacheLevel& cache : machine.caches) {
    cache.sets = static_cast<std::uint64_t>(std::max(1LL, std::llround(static_cast<double>(cache.sets) * scale)));
    cache.size = cache.sets * cache.ways * cache.line;
  }
  return machine;
}

SmearedRuns::SmearedRuns(const Program& program, const Machine& machine, const SimulateOptions& options)
    : program_(program),
      less_(geometry_of(scaled(machine, smear.less))),
      options_(options),
      more_(std::async(std::launch::async, [&program, geometry = geometry_of(scaled(machine, smear.more)), options] {
        return simulate(program, geometry, options);
      })) {}

std::vector<std::vector<NestResult>> SmearedRuns::results() {
  std::vector<NestResult> less = simulate(program_, less_, options_).nests;
  return {std::move(less), more_.get().nests};
}

}  // namespace mansard
