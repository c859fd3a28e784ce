// Ceilings by hand: Sandy Bridge (one add, one multiply unit of 32 B, 2.7 GHz) and a machine with two FMA units.
#include "model/ceilings.hpp"

#include "by_hand.hpp"
#include "support/catch.hpp"
#include "support/kernel.hpp"

using namespace mansard;
using namespace mansard::by_hand;

namespace {

std::vector<Ceiling> ceilings(const Machine& machine, const FlopCount& flops, double updates = 800) {
  const Nest nest = loop({{0, Kind::load}, {1, Kind::store}}, 8, flops);
  const NestResult result = result_of(nest, static_cast<std::uint64_t>(updates));
  return ceilings_of(machine, 4, std::vector<Region>(2), nest, result, in_core(machine, nest, result), 1);
}

double gflops(const std::vector<Ceiling>& all, const std::string& name) {
  for (const Ceiling& ceiling : all) {
    if (ceiling.name == name) return ceiling.performance.value_or(FlopsPerSecond(0)).value / 1e9;
  }
  return 0;
}

}  // namespace

TEST_CASE("three additions to one multiplication: the adder takes 3 of 4 flops") {
  const auto all = ceilings(sandy_bridge(), flops(3, 1));
  CHECK(gflops(all, "operation mix") == Approx(4. / 3 * 4 * 2.7));  // peak: 21.6
  CHECK(gflops(all, "no SIMD") == Approx(2 * 2.7));
  CHECK(gflops(all, "no FMA") == 0);  // it has none
  CHECK(gflops(all, "divide") == 0);
}

TEST_CASE("a divide every 42 cycles") {
  FlopCount division;
  division.div = 1;
  CHECK(gflops(ceilings(sandy_bridge(), division), "divide") == Approx(4 / 42. * 2.7));
}

TEST_CASE("without FMA the units give one flop an instruction") {
  Machine machine = sandy_bridge();
  machine.core.per_cycle.fma = machine.core.per_cycle.add = machine.core.per_cycle.mul = 2;
  CHECK(gflops(ceilings(machine, flops(1, 1)), "no FMA") == Approx(2 * 4 * 2.7));
}

TEST_CASE("a chase waits the memory's latency for every line") {
  Machine machine = sandy_bridge();
  machine.memory.latency = Seconds(80e-9);
  const Program program = lower(kernel_of("int next[n]; int p = 0; double a[n], s;"
                                          "for (int i = 0; i < n; ++i) { s += a[p]; p = next[p]; }",
                                          {{"n", "1000"}}, "{next: {ring: {n: n}}}"),
                                {});
  NestResult result{"S1", std::vector<std::uint64_t>(program.bodies, 1000), {}, Counters(3, program.regions.size()), {}};
  for (std::size_t a = 0; a < program.regions.size(); ++a) {
    if (program.regions[a].name == "next") result.counters.flows[3][a].demand_fills = 50 * 64;
  }
  const auto all = ceilings_of(machine, 4, program.regions, program.nests.front(), result, {}, 1);
  REQUIRE(all.size() == 1);
  CHECK(all[0].name == "memory latency");
  CHECK(all[0].time.value == Approx(50 * 80e-9));
  CHECK_FALSE(all[0].performance);
}

TEST_CASE("nests add their times, and a nest without divisions has none to add") {
  const std::vector<std::vector<Ceiling>> nests{{{"no SIMD", Seconds(1), {}}, {"divide", Seconds(2), {}}},
                                                {{"no SIMD", Seconds(3), {}}}};
  const auto sum = added(nests, Flops(8));
  REQUIRE(sum.size() == 2);
  CHECK(sum[0].performance->value == Approx(2));
  CHECK(sum[1].performance->value == Approx(4));
}

TEST_CASE("cache-aware roofs use one intensity and the narrowest path from each level") {
  const Machine machine = sandy_bridge();
  Counters counters(3, 1);
  for (auto& boundary : counters.flows) boundary[0].demand_fills = 64000;
  Work work;
  work.add = 8000, work.updates = 8000;
  const auto roofs = cache_aware_roofs(machine, roofline_of(machine, 4, counters, work, 1), 1);
  REQUIRE(roofs.size() == 4);
  CHECK(roofs[0].roof.value == Approx(0.125 * 32 * 2.7e9));
  CHECK(roofs[2].roof.value == Approx(0.125 * 32 * 2.7e9));  // links are as wide as the loads
  CHECK(roofs[3].level == "DRAM");
  CHECK(roofs[3].roof.value == Approx(0.125 * 12.3e9));
}
