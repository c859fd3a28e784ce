// The roofline of Williams, Waterman, Patterson (CACM 2009), level by level, on numbers to check by hand.
#include "model/roofline.hpp"

#include "by_hand.hpp"
#include "model/quick_roofline.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::by_hand;

namespace {

/// One core of 2 TFLOP/s and 200 GB/s, and nothing else known: 8 lanes, 125 FMA a cycle at 1 GHz.
Machine example(double fma_per_cycle) {
  Machine m = sandy_bridge();
  m.clock = Hertz(1e9);
  m.core.simd = 64;
  m.core.per_cycle = {};
  m.core.scalar = {};
  m.core.per_cycle.fma = fma_per_cycle;
  for (CacheLevel& cache : m.caches) cache.link = {};
  m.memory.bandwidth = {{"load", {std::nullopt, BytesPerSecond(200e9), std::nullopt}}};
  return m;
}

Roofline streams(const Machine& m, std::uint64_t updates, std::uint64_t flops_each, std::uint64_t bytes_each) {
  Counters c(3, 1);
  for (std::size_t b = 0; b <= 3; ++b) c.flows[b][0].demand_fills = updates * bytes_each;
  Work work;
  work.updates = updates, work.add = updates * flops_each;
  return roofline_of(m, 8, c, work, 1);
}

}  // namespace

TEST_CASE("daxpy, dot and a 7-point stencil on 2 TFLOP/s and 200 GB/s") {
  const Machine m = example(125);
  CHECK(streams(m, 1000, 2, 24).performance->value == Approx(16.67e9).epsilon(0.001));
  CHECK(streams(m, 1000, 2, 16).performance->value == Approx(25e9));
  CHECK(streams(m, 1000, 8, 24).performance->value == Approx(66.7e9).epsilon(0.001));
  CHECK(streams(m, 1000, 8, 16).performance->value == Approx(100e9));
  const Roofline daxpy = streams(m, 1000, 2, 24);
  CHECK(daxpy.bound_by == "DRAM");
  CHECK(*daxpy.updates_per_second == Approx(200e9 / 24));
}

TEST_CASE("many flops per byte are bound by the peak") {
  const Roofline gemm = streams(example(125), 1000, 2000, 8);
  CHECK(gemm.bound_by == "compute");
  CHECK(gemm.performance->value == Approx(2e12));
  CHECK(gemm.levels.back().roof->value == Approx(2e12));  // min(peak, I b)
}

TEST_CASE("levels without a known bandwidth have no roof, levels without traffic no intensity") {
  Roofline r = streams(example(125), 1000, 2, 24);
  CHECK_FALSE(r.levels[1].bandwidth);
  CHECK_FALSE(r.levels[1].roof);
  CHECK(r.levels[1].intensity->value == Approx(1. / 12));
  Work work;
  work.updates = work.add = 10;
  r = roofline_of(sandy_bridge(), 4, Counters(3, 1), work, 1);
  CHECK_FALSE(r.levels[3].intensity);
  CHECK(r.bound_by == "compute");
}

TEST_CASE("a kernel without flops is bound by time all the same") {
  const Roofline copy = streams(example(125), 1000, 0, 24);
  CHECK(copy.bound_by == "DRAM");
  CHECK(copy.performance->value == 0);
  CHECK(*copy.updates_per_second == Approx(200e9 / 24));
}

TEST_CASE("at REG-L1 loads and stores have their own ports") {
  Counters c(3, 1);
  c.flows[0][0].demand_fills = 64 * 100;  // two vectors of loads, one of stores an update
  c.flows[0][0].write_back = 32 * 100;
  Work work;
  work.updates = 100, work.add = 100;
  const RooflineLevel l1 = roofline_of(sandy_bridge(), 4, c, work, 1).levels[0];
  CHECK(l1.time->value == Approx(200 / 2.7e9));  // 2 cycles of loads, 2 of half-rate stores
  CHECK(l1.bandwidth->value == Approx(96 / 2. * 2.7e9));
}

TEST_CASE("the peak counts FMA units, else adders and multipliers") {
  CHECK(peak_of(sandy_bridge(), 4, 1)->value == Approx(21.6e9));
  CHECK(peak_of(sandy_bridge(), 8, 2)->value == Approx(86.4e9));  // float, two cores
  CHECK(peak_of(example(500), 8, 1)->value == Approx(8e12));
  Machine unknown = sandy_bridge();
  unknown.core.per_cycle.mul.reset();
  CHECK_FALSE(peak_of(unknown, 4, 1));
}

TEST_CASE("the widest floating-point type decides the lanes of the peak") {
  Kernel kernel;
  Array index, values;
  index.type = ElementType::i64, values.type = ElementType::f32;
  kernel.arrays = {index, values};
  CHECK(lanes_of(sandy_bridge().core, kernel) == 8);
  kernel.arrays = {index};
  CHECK(lanes_of(sandy_bridge().core, kernel) == 4);
}

TEST_CASE("times of nests add") {
  const Machine m = example(125);
  const std::vector<Roofline> nests{streams(m, 1000, 2, 24), streams(m, 1000, 2000, 8)};
  Work total;
  total.updates = 2000, total.add = 1000 * 2 + 1000 * 2000;
  const Roofline sum = added(nests, total);
  CHECK(sum.time->value == Approx(1000 * 24 / 200e9 + 1000 * 2000 / 2e12));
  CHECK(sum.bound_by == "compute");
  CHECK(sum.performance->value == Approx(2002e3 / sum.time->value));
}

TEST_CASE("the quick estimate: 1 GFLOP on 8 TFLOP/s and 200 GB/s") {
  const Machine m = example(500);
  const auto quick = [&](double bytes) { return quick_roofline(m, Flops(1e9), Bytes(bytes), 1, std::nullopt); };
  CHECK(quick(100e6).intensity->value == Approx(10));
  CHECK(quick(100e6).attainable->value == Approx(2e12));
  CHECK(quick(100e6).time->value == Approx(0.5e-3));
  CHECK(quick(100e6).bound == "DRAM");
  CHECK(quick(25e6).attainable->value == Approx(8e12));
  CHECK(quick(25e6).time->value == Approx(0.125e-3));
  CHECK(quick(20e6).intensity->value == Approx(50));
  CHECK(quick(20e6).time->value == Approx(0.125e-3));
  CHECK(quick(20e6).bound == "compute");
  CHECK(quick(20e6).ridge->value == Approx(40));
  CHECK(quick_roofline(m, Flops(1e9), Bytes(25e6), 1, Seconds(0.02e-3)).time->value == Approx(0.145e-3));
}

TEST_CASE("the quick estimate without bytes or bandwidth") {
  const QuickRoofline no_bytes = quick_roofline(example(500), Flops(1e9), Bytes(0), 1, std::nullopt);
  CHECK_FALSE(no_bytes.intensity);
  CHECK(no_bytes.attainable->value == Approx(8e12));
  Machine unknown = example(500);
  unknown.memory.bandwidth.clear();
  const QuickRoofline nothing = quick_roofline(unknown, Flops(1e9), Bytes(1e6), 1, std::nullopt);
  CHECK_FALSE(nothing.time);
  CHECK(nothing.bound.empty());
  CHECK(nothing.warnings.size() == 1);
}
