// Machines, nests and counters small enough to write down.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "machine/machine.hpp"
#include "model/result.hpp"
#include "stream/program.hpp"

namespace mansard::by_hand {

/// Sandy Bridge-EP E5-2680 as in Stengel et al., ICS 2015: one 32 B load and half a 32 B store per cycle (two and one
/// scalar), one add and one multiply, an AVX divide every 42 cycles; 32 B/cy half-duplex links; everything adds.
/// Memory: measured bandwidth in bytes moved (likwid-bench; copy and triad times 3/2 and 5/4).
inline Machine sandy_bridge() {
  Machine m;
  m.id = "snb", m.name = "Sandy Bridge-EP E5-2680";
  m.clock = Hertz(2.7e9);
  m.sockets = 2, m.cores = 8;
  m.core.simd = 32;
  m.core.per_cycle = {1.0, 0.5, std::nullopt, 1.0, 1.0, 1.0 / 42, std::nullopt};
  m.core.scalar = {2.0, 1.0, std::nullopt, 1.0, 1.0, 1.0 / 22, std::nullopt};
  m.core.latency = {{"add", 3}, {"mul", 5}, {"load", 4}};
  const Link link{BytesPerCycle(32), BytesPerCycle(32), Duplex::half};
  const auto cache = [&](std::string name, std::uint64_t sets, std::uint32_t ways) {
    CacheLevel& level = m.caches.emplace_back();
    level.name = std::move(name);
    level.sets = sets, level.ways = ways, level.size = sets * ways * level.line, level.link = link;
  };
  cache("L1", 64, 8);
  cache("L2", 512, 8);
  cache("L3", 16384, 20);
  m.caches.back().shared_by = 8;
  const auto mix = [](double core, double domain) {
    return Bandwidth{BytesPerSecond(core * 1e9), BytesPerSecond(domain * 1e9), std::nullopt};
  };
  m.memory.bandwidth = {{"load", mix(12.3, 44.56)},
                        {"copy", mix(11.12 * 1.5, 26.47 * 1.5)},
                        {"update", mix(17.4, 39.8)},
                        {"triad", mix(12.41 * 1.25, 30.73 * 1.25)},
                        {"daxpy", mix(16.1, 39.36)}};
  m.serial = {"REG-L1", "L1-L2", "L2-L3", "L3-DRAM"};
  return m;
}

/// An access in the only loop: array, element offset and elements per iteration.
struct Ref {
  std::uint16_t array;
  Kind kind;
  Int stride = 1;
};

/// One loop over slot 0 with `refs` in its body, of elements of `bytes` bytes.
inline Nest loop(const std::vector<Ref>& refs, std::uint8_t bytes, FlopCount flops, Recurrence recurrence = {}) {
  Body body;
  for (const Ref& ref : refs) {
    Quasi address(1 << 20);
    if (ref.stride != 0) address.terms.push_back({0, ref.stride * bytes});
    body.refs.push_back({address, ref.array, bytes, ref.kind});
  }
  body.work.updates = 1;
  body.work.flops = body.work.contracted = flops;
  body.work.recurrence = recurrence;
  body.work.innermost = Slot{0};
  StreamLoop around;
  around.lower = {Quasi(0)};
  around.upper = {Quasi(799)};
  around.body = {StreamNode{body}};
  return Nest{"S1", {StreamNode{around}}};
}

/// `iterations` of such a loop.
inline NestResult result_of(const Nest& nest, std::uint64_t iterations, std::size_t caches = 3,
                            std::size_t arrays = 3) {
  NestResult result;
  result.name = nest.name;
  result.executions = {iterations};
  result.work = work_of(nest, result.executions);
  result.counters = Counters(caches, arrays);
  return result;
}

inline FlopCount flops(std::uint32_t add, std::uint32_t mul, std::uint32_t fma = 0, std::uint32_t div = 0) {
  FlopCount f;
  f.add = add, f.mul = mul, f.fma = fma, f.div = div;
  return f;
}

}  // namespace mansard::by_hand
