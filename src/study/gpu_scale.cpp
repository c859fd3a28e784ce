#include "study/gpu_scale.hpp"

#include <cmath>

namespace mansard {
namespace {

std::uint64_t scaled(std::uint64_t part, std::uint64_t whole, std::uint64_t of) {
  if (of == 0) return 0;
  return static_cast<std::uint64_t>(
      std::llround(static_cast<long double>(part) * static_cast<long double>(whole) / static_cast<long double>(of)));
}

}  // namespace

Counters scaled_up(const Counters& window, const Requests& part, const Requests& whole, double factor,
                   std::uint64_t sector) {
  Counters result = window;
  const auto grow = [factor](std::uint64_t& n) {
    n = static_cast<std::uint64_t>(std::llround(static_cast<double>(n) * factor));
  };
  for (std::size_t b = 1; b < result.flows.size(); ++b) {
    for (std::size_t a = 0; a < result.flows[b].size(); ++a) {
      Flow& flow = result.flows[b][a];
      const ArrayRequests& p = part.arrays[a];
      const ArrayRequests& w = whole.arrays[a];
      if (p.load_sectors == 0) flow.demand_fills = w.load_sectors * sector;
      if (p.store_sectors == 0) (b == 1 ? flow.write_through : flow.write_back) = w.store_sectors * sector;
      if (p.load_sectors > 0) flow.demand_fills = scaled(flow.demand_fills, w.load_sectors, p.load_sectors);
      if (p.store_sectors == 0) continue;
      flow.write_allocate = scaled(flow.write_allocate, w.store_sectors, p.store_sectors);
      flow.write_back = scaled(flow.write_back, w.store_sectors, p.store_sectors);
      flow.write_through = scaled(flow.write_through, w.store_sectors, p.store_sectors);
    }
  }
  for (LevelCount& level : result.levels) {
    for (std::uint64_t* n : {&level.load_hits, &level.load_misses, &level.store_hits, &level.store_misses}) grow(*n);
  }
  return result;
}

Counters times(Counters counters, std::uint64_t n) {
  Counters sum = counters;
  for (std::uint64_t rest = n - 1; rest > 0; rest >>= 1U) {
    if ((rest & 1U) != 0) sum += counters;
    counters += Counters(counters);
  }
  return sum;
}

}  // namespace mansard
