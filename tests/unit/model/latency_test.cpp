// The latency that one core does not hide, from the one-core benchmarks of Sandy Bridge.
#include "model/latency.hpp"

#include "by_hand.hpp"
#include "model/ecm.hpp"
#include "model/transfer.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::by_hand;

TEST_CASE("copy on Sandy Bridge: three lines in 31.07 cycles, of which the ECM model explains 27.06") {
  // {4 || 2 | 6 | 6 | 13.06}: 192 B at 39.705 GB/s; measured with one core: 192 B at 16.68 GB/s, 2.7 GHz.
  const auto latency = exposed_latency(sandy_bridge(), "copy");
  REQUIRE(latency);
  CHECK(latency->value == Approx((192 / 16.68 * 2.7 - (2 + 6 + 6 + 192 / 39.705 * 2.7)) / 3));
}

TEST_CASE("a machine that evades the fetch of stores moves two lines for a copy") {
  Machine machine = sandy_bridge();
  machine.caches[0].evasion = {{1, 1'000'000}};
  const auto latency = exposed_latency(machine, "copy");  // {4 || 2 | 4 | 4 | 8.7}: 128 B
  REQUIRE(latency);
  CHECK(latency->value == Approx((128 / 16.68 * 2.7 - (2 + 4 + 4 + 128 / 39.705 * 2.7)) / 2));
}

TEST_CASE("with the latency the ECM model gives a benchmark its own one-core bandwidth back") {
  const Machine machine = sandy_bridge();
  Counters counters(3, 1);
  for (auto& boundary : counters.flows) boundary[0].demand_fills = 2 * 64, boundary[0].write_back = 64;  // daxpy
  InCore core;
  core.t_nol = Cycles(4), core.t_ol = Cycles(4);
  const EcmTimes times =
      ecm_times(machine, core, transfer_times(machine, counters), latency_time(machine, counters.boundary(3)));
  REQUIRE(times.one_core);
  CHECK(times.one_core->value == Approx(192 / 16.1 * 2.7));
  CHECK(times.predictions.back()->value == Approx(4 + 6 + 6 + 192 / 39.36 * 2.7));  // as published: without it
}

TEST_CASE("what is busy long enough hides the latency") {
  const Machine machine = sandy_bridge();
  InCore core;
  core.t_nol = Cycles(4), core.t_ol = Cycles(96);
  const EcmTimes times = ecm_times(machine, core, {Cycles(6), Cycles(6), Cycles(13)}, Cycles(10));
  CHECK(times.one_core == Cycles(96));
}

TEST_CASE("a benchmark that was not measured with one core leaves the latency unknown") {
  Machine machine = sandy_bridge();
  machine.memory.bandwidth["copy"].core.reset();
  CHECK_FALSE(exposed_latency(machine, "copy"));
  CHECK_FALSE(exposed_latency(machine, "schoenauer"));
  CHECK(latency_time(machine, Flow{}) == Cycles(0));
}
