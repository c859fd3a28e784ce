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

std::vector<std::vector<NestResult>> simulate_smeared(const Program& program, const Machine& machine,
                                                      const SimulateOptions& options) {
  std::vector<std::vector<NestResult>> results;
  for (const double scale : {smear.less, smear.more}) {
    results.push_back(simulate(program, geometry_of(scaled(machine, scale)), options).nests);
  }
  return results;
}

}  // namespace mansard
