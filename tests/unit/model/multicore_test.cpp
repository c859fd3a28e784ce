#include "model/multicore.hpp"

#include "by_hand.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::by_hand;

namespace {

/// 1000 updates that take 10000 cycles on one core, 2000 of them at memory.
EcmTimes times(double total = 10000, double memory = 2000) {
  EcmTimes ecm;
  ecm.transfers = {Cycles(0), Cycles(0), Cycles(memory)};
  ecm.predictions = {Cycles(total)};
  ecm.bound_by = "L2";
  return ecm;
}
NestResult result(std::uint32_t cores) {
  NestResult r;
  r.work.updates = 1000;
  r.counters = Counters(3, 1);
  r.cores = cores;
  return r;
}
MulticorePoint point(const Machine& machine, const std::vector<EcmTimes>& ecm, std::uint32_t cores) {
  std::vector<NestResult> results(ecm.size(), result(cores));
  return multicore_point(machine, ecm, results, cores);
}
double cycles(const Machine& machine, const MulticorePoint& p) { return p.time->value * machine.clock.value; }

}  // namespace

// Stengel et al., ICS 2015: P(n) = min(n · P(1), roof); here 10000 / 2000 = 5 cores saturate a domain.
TEST_CASE("cores add up until their memory domain is full") {
  const Machine m = sandy_bridge();
  CHECK(cycles(m, point(m, {times()}, 4)) == Approx(2500));
  CHECK(point(m, {times()}, 4).bound_by == "L2");
  CHECK(cycles(m, point(m, {times()}, 6)) == Approx(2000));
  CHECK(point(m, {times()}, 6).bound_by == "DRAM");
  CHECK(*point(m, {times()}, 6).updates_per_second == Approx(1000 * 2.7e9 / 2000));
  CHECK(cycles(m, point(m, {times()}, 8)) == Approx(2000));
}

// Hofmann, Hager, Fey, ISC 2018: T(2) = T(1) + u(1) · p0 with u(1) = 2000 / 10000; 1000 lines at 3 cycles are 3000.
TEST_CASE("with a latency penalty cores slow each other down before their domain is full") {
  Machine m = sandy_bridge();
  m.memory.penalty = 3;
  NestResult r = result(2);
  r.counters.flows[m.caches.size()][0].write_back = 1000 * 64;
  const std::vector<EcmTimes> ecm{times()};
  const auto alone = cycles(m, multicore_point(m, ecm, {&r, 1}, 1));
  const auto two = cycles(m, multicore_point(m, ecm, {&r, 1}, 2));
  CHECK(two == Approx((alone + 2000 / alone * 3000) / 2));
  m.memory.penalty.reset();
  CHECK(cycles(m, multicore_point(m, ecm, {&r, 1}, 2)) == Approx(alone / 2));
}

TEST_CASE("a second domain: all cores do the same, so the full one is the last to finish") {
  const Machine m = sandy_bridge();  // 8 cores a domain
  CHECK(cycles(m, point(m, {times()}, 10)) == Approx(2000 * 8 / 10.0));
  CHECK(cycles(m, point(m, {times()}, 16)) == Approx(1000));
}

TEST_CASE("times of nests add; one that is not shared takes its time on one core") {
  const Machine m = sandy_bridge();
  const std::vector<EcmTimes> ecm{times(), times(3000, 100)};
  const std::vector<NestResult> results{result(4), result(1)};
  const MulticorePoint p = multicore_point(m, ecm, results, 4);
  CHECK(cycles(m, p) == Approx(2500 + 3000));
  CHECK(*p.updates_per_second == Approx(2000 / p.time->value));
}

TEST_CASE("one core is not faster than the memory bandwidth measured with one core") {
  const Machine m = sandy_bridge();
  NestResult r = result(2);
  r.counters.flows[3][0].demand_fills = 123000;  // 12.3 GB/s: 10 µs, 27000 cycles
  const std::vector<EcmTimes> ecm{times()};
  const MulticorePoint p = multicore_point(m, ecm, {&r, 1}, 2);
  CHECK(cycles(m, p) == Approx(13500));
  CHECK(p.bound_by == "DRAM");
  CHECK(*p.bytes_per_update[3] == Approx(123));
}

TEST_CASE("what is not known stays unknown") {
  const Machine m = sandy_bridge();
  EcmTimes ecm = times();
  ecm.predictions = {std::nullopt};
  const MulticorePoint p = point(m, {ecm}, 4);
  CHECK_FALSE(p.updates_per_second);
  CHECK(p.bound_by.empty());
}
