// Replays the published ECM tables from the cache-line counts that they imply (Stengel et al., ICS 2015, table 2).
#include "model/ecm.hpp"

#include "by_hand.hpp"
#include "model/transfer.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::by_hand;

namespace {

/// Lines per unit of work: a stencil loads `in` lines, allocates and writes back one.
Counters lines(std::uint64_t l1_l2, std::uint64_t l2_l3, std::uint64_t l3_memory) {
  Counters c(3, 1);
  std::size_t boundary = 1;
  for (const std::uint64_t total : {l1_l2, l2_l3, l3_memory}) {
    Flow& flow = c.flows[boundary++][0];
    flow.demand_fills = (total - 2) * 64;
    flow.write_allocate = flow.write_back = 64;
  }
  return c;
}

InCore core(double t_ol, double t_nol) {
  InCore c;
  c.t_ol = Cycles(t_ol), c.t_nol = Cycles(t_nol);
  c.bound = "add";
  return c;
}

Ecm jacobi(const Machine& m, const Counters& traffic) {
  return *ecm_per_unit(m, ecm_times(m, core(6, 8), transfer_times(m, traffic)), 8, 8);
}

}  // namespace

TEST_CASE("2D-5pt on Sandy Bridge with the layer condition in L2") {
  const Ecm ecm = jacobi(sandy_bridge(), lines(5, 3, 3));
  CHECK(ecm.notation == "{6 ‖ 8 | 10 | 6 | 13.1}");  // the paper rounds 192 B / 39.7 GB/s to 13
  CHECK(ecm.unit.total()->value == Approx(37).epsilon(0.005));
  CHECK(ecm.predictions == "{8 ⌉ 18 ⌉ 24 ⌉ 37.1}");
  CHECK(*ecm.updates_per_second == Approx(587e6).epsilon(0.01));
  CHECK(ecm.saturation_cores == 3);
  CHECK(ecm.unit.bound_by == "DRAM");
}

TEST_CASE("2D-5pt on Sandy Bridge with the layer condition in L1, in L3, and nowhere") {
  CHECK(jacobi(sandy_bridge(), lines(3, 3, 3)).unit.total()->value == Approx(33).epsilon(0.005));
  const Ecm in_l3 = jacobi(sandy_bridge(), lines(5, 5, 3));
  CHECK(in_l3.unit.total()->value == Approx(41).epsilon(0.005));
  CHECK(in_l3.saturation_cores == 4);
  const Ecm nowhere = jacobi(sandy_bridge(), lines(5, 5, 5));
  CHECK(nowhere.unit.total()->value == Approx(50).epsilon(0.02));
  CHECK(nowhere.saturation_cores == 3);
}

TEST_CASE("Kahan's dot product stays at 96 cycles wherever its data are") {
  const Machine m = sandy_bridge();
  Counters c(3, 1);
  for (std::size_t b = 1; b <= 3; ++b) c.flows[b][0].demand_fills = 128;
  const Ecm ecm = *ecm_per_unit(m, ecm_times(m, core(96, 8), transfer_times(m, c)), 8, 8);
  CHECK(ecm.notation == "{96 ‖ 8 | 4 | 4 | 7.8}");
  CHECK(ecm.predictions == "{96 ⌉ 96 ⌉ 96 ⌉ 96}");
  CHECK(ecm.unit.bound_by == "compute");
}

TEST_CASE("transfers that are not serial overlap: the largest binds") {
  Machine m = sandy_bridge();
  m.serial = {"L3-DRAM"};
  const Ecm ecm = jacobi(m, lines(5, 3, 3));
  CHECK(ecm.unit.total()->value == Approx(13.06).epsilon(0.001));
  CHECK(ecm.unit.bound_by == "DRAM");
  m.serial = {};
  CHECK(jacobi(m, lines(20, 3, 3)).unit.bound_by == "L2");
}

TEST_CASE("overlap on AMD: all transfers on Zen 2, only those near the core on Zen") {
  // RRZE-HPC/ECM-Model, rome1: T = max(L1, L2, L3, memory), where the caches read and write at the same time. A copy
  // moves two lines in and one out: 4 cycles at 32 B/cy each way, 5.33 at 24 B/cy, and memory at 27 B/cy takes 192 B
  // / 27.
  Machine m = sandy_bridge();
  m.caches[1].link = {BytesPerCycle(32), BytesPerCycle(32), Duplex::full};
  m.caches[2].link = {BytesPerCycle(24), BytesPerCycle(24), Duplex::full};
  m.memory.bandwidth["copy"].domain = BytesPerSecond(27 * m.clock.value);
  m.serial = {};
  const std::vector<std::optional<Cycles>> transfers = transfer_times(m, lines(3, 3, 3));
  const EcmTimes rome = ecm_times(m, core(1, 2), transfers);
  CHECK(rome.total()->value == Approx(192.0 / 27));
  CHECK(rome.predictions[1]->value == Approx(4));
  CHECK(rome.predictions[2]->value == Approx(128.0 / 24));
  // Kerncraft, Zen_EPYC-7451.yml: L2-L3 and memory do not overlap with each other.
  m.serial = {"L2-L3", "L3-DRAM"};
  CHECK(ecm_times(m, core(1, 2), transfers).total()->value == Approx(128.0 / 24 + 192.0 / 27));
}

TEST_CASE("a full-duplex link takes the larger direction, a half-duplex one the sum") {
  Flow flow;
  flow.demand_fills = 256, flow.write_back = 64;
  Link link{BytesPerCycle(64), BytesPerCycle(16), Duplex::half};
  CHECK(link_time(link, flow)->value == Approx(8));
  link.duplex = Duplex::full;
  CHECK(link_time(link, flow)->value == Approx(4));
  link.evict.reset();
  CHECK_FALSE(link_time(link, flow));
}

TEST_CASE("an unknown transfer makes the prediction beyond it unknown, not zero") {
  Machine m = sandy_bridge();
  m.caches[2].link = {};
  const Ecm ecm = jacobi(m, lines(5, 3, 3));
  CHECK(ecm.notation == "{6 ‖ 8 | 10 | ? | 13.1}");
  CHECK(ecm.predictions == "{8 ⌉ 18 ⌉ ? ⌉ ?}");
  CHECK_FALSE(ecm.updates_per_second);
  CHECK_FALSE(ecm.saturation_cores);
  CHECK(ecm.unit.bound_by.empty());
}

TEST_CASE("nests add, also where they are bound by different things") {
  const Machine m = sandy_bridge();
  const std::vector<EcmTimes> nests{ecm_times(m, core(96, 8), transfer_times(m, lines(2, 2, 2))),
                                    ecm_times(m, core(6, 8), transfer_times(m, lines(5, 3, 3)))};
  const EcmTimes sum = added(nests);
  CHECK(sum.total()->value == Approx(96 + 37.06).epsilon(0.001));  // not max(102, 16 + ...)
  CHECK(sum.t_ol->value == Approx(102));
  CHECK(sum.bound_by == "compute");
}

TEST_CASE("without updates there is no unit of work") { CHECK_FALSE(ecm_per_unit(sandy_bridge(), EcmTimes{}, 0, 8)); }
