// A run written down by hand: 2D-5pt Jacobi on Sandy Bridge with the layer condition in L2, 800 updates.
#pragma once

#include "../model/by_hand.hpp"
#include "report/summary.hpp"

namespace mansard::by_hand {

struct Example {
  Machine machine = sandy_bridge();
  Kernel kernel;
  Program program;
  std::vector<NestResult> results;
  RunInfo info;
  [[nodiscard]] Summary summary() const { return summarize(machine, kernel, program, results, info); }
};

/// Lines of 64 B per 8 updates: a is loaded in, b is allocated and written back.
inline NestResult jacobi_result(const Nest& nest) {
  NestResult result = result_of(nest, 800, 3, 2);
  Counters& c = result.counters;
  c.loads = 3200, c.stores = 800, c.line_lookups = 4000;
  c.levels = {{2900, 300, 700, 100}, {200, 100, 0, 100}, {0, 100, 0, 100}};
  c.flows[0][0].demand_fills = 3200 * 8, c.flows[0][1].write_back = 800 * 8;
  const std::uint64_t line = 64, units = 100;
  for (std::size_t b = 1; b <= 3; ++b) {
    c.flows[b][0].demand_fills = (b == 1 ? 3 : 1) * units * line;
    c.flows[b][1].write_allocate = c.flows[b][1].write_back = units * line;
  }
  return result;
}

inline Example jacobi() {
  Example run;
  const Ref load_a{0, Kind::load}, store_b{1, Kind::store};
  run.program.nests = {loop({load_a, load_a, load_a, load_a, store_b}, 8, flops(3, 1))};
  run.program.regions = {{"a", 0, 6400}, {"b", 1 << 20, 6400}};
  run.program.bodies = 1;
  run.kernel.name = "jacobi-2d-5pt";
  run.kernel.parameters = {{"N", 2000}};
  run.kernel.arrays.resize(2);
  run.kernel.schedule = {"tile(j:8, i:32)"};
  run.results = {jacobi_result(run.program.nests[0])};
  run.info.version = "test";
  run.info.lookups = 1234;
  return run;
}

}  // namespace mansard::by_hand
