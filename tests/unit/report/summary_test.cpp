// One struct holds what every format prints: 2D-5pt Jacobi on Sandy Bridge (Stengel et al., ICS 2015).
#include "report/summary.hpp"

#include "by_hand.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::by_hand;

TEST_CASE("bytes per update are 40 / 24 / 24 and the ECM prediction is the published one") {
  const Summary s = jacobi().summary();
  CHECK(*s.total.levels[1].bytes_per_update == Approx(40));
  CHECK(*s.total.levels[2].bytes_per_update == Approx(24));
  CHECK(*s.total.levels[3].bytes_per_update == Approx(24));
  CHECK(s.total.ecm->notation == "{6 ‖ 8 | 10 | 6 | 13.1}");
  CHECK(s.total.ecm->saturation_cores == 3);
  CHECK(s.nests.empty());
  CHECK(s.total.levels[1].lookups->misses() == 200);
  CHECK_FALSE(s.total.levels[3].lookups);
}

TEST_CASE("the roof that binds is used to 100 %, the others less") {
  const Summary s = jacobi().summary();
  CHECK(s.total.roofline.bound_by == "DRAM");
  CHECK(*s.total.levels[3].used == Approx(1));
  CHECK(*s.total.levels[1].used < 1);
  CHECK(s.total.levels[3].roof.roof->value == Approx(4. / 24 * 11.12 * 1.5e9));
}

// 37.1 cycles and 4 of latency, which copy with one core needs beyond the 27.1 of the model: 8 updates in 41.1 cycles.
TEST_CASE("the verdict names workload, machine, what binds, bytes and speed") {
  const std::string verdict = jacobi().summary().verdict;
  CHECK(verdict.find("jacobi-2d-5pt on snb: memory-bound, 24 B/update, 526 M updates/s (ECM), 76 % of the roof") == 0);
}

TEST_CASE("write-allocate is a third of the memory traffic, and the advice says how to save it") {
  CHECK(jacobi().summary().advice ==
        "L3-DRAM binds with 24.0 B/update: nontemporal(b) would save 33 % of it: no write-allocate");
}

TEST_CASE("traffic beyond once in and once out asks for tiling") {
  Example run = jacobi();
  run.results[0].counters.flows[3][0].demand_fills *= 3;  // a three times
  const std::string advice = run.summary().advice;
  CHECK(advice.find("a moves 40 % of it beyond its elements once in and once out; use whole lines of it, tile") !=
        std::string::npos);  // 2 of 5 lines
}

TEST_CASE("streaming stores leave only what is compulsory") {
  Example run = jacobi();
  for (std::size_t boundary = 1; boundary <= 3; ++boundary) run.results[0].counters.flows[boundary][1] = Flow{};
  run.results[0].counters.flows[3][1].nontemporal = 6400;
  CHECK(run.summary().advice.find("100 % of it is compulsory") != std::string::npos);
}

TEST_CASE("a chain in the core is what the advice is about") {
  Example run = jacobi();
  const Recurrence chain{flops(40, 0), 1, false};
  run.program.nests = {loop({{0, Kind::load}, {1, Kind::store}}, 8, flops(40, 0), chain)};
  const Summary s = run.summary();
  CHECK(s.total.bound_by() == "compute");
  CHECK(s.verdict.find("chain-bound") != std::string::npos);
  CHECK(s.advice.find("dependency chain binds") != std::string::npos);
}

TEST_CASE("several nests: counts and times add") {
  Example run = jacobi();
  run.program.nests.push_back(run.program.nests[0]);
  std::get<Body>(std::get<StreamLoop>(run.program.nests[1].nodes[0].is).body[0].is).id = 1;
  run.results[0].executions = {800, 0};
  run.results.push_back(run.results[0]);
  run.results[1].executions = {0, 800};
  const Summary s = run.summary();
  REQUIRE(s.nests.size() == 2);
  CHECK(s.total.work.updates == 1600);
  CHECK(s.total.levels[3].flow.total() == 2 * s.nests[0].levels[3].flow.total());
  CHECK(s.total.ecm->unit.total()->value == Approx(s.nests[1].ecm->unit.total()->value));  // the same per unit
  CHECK(*s.total.roofline.updates_per_second == Approx(*s.nests[0].roofline.updates_per_second));
}

TEST_CASE("warnings of machine, workload, models and run are shown once each") {
  Example run = jacobi();
  run.machine.warnings = {"L3 is assumed", "L3 is assumed"};
  run.kernel.warnings = {"ratio 0.3"};
  run.machine.core.per_cycle.loads.reset();
  run.machine.core.scalar.loads.reset();
  run.info.cold = true, run.info.dirty_left = 7;
  const std::vector<std::string> warnings = run.summary().warnings;
  REQUIRE(warnings.size() == 5);
  CHECK(warnings[0] == "L3 is assumed");
  CHECK(warnings[1] == "ratio 0.3");
  CHECK(warnings[2].find("core.per_cycle.loads") != std::string::npos);
  CHECK(warnings[3].find("no bandwidth is known for REG-L1") == 0);
  CHECK(warnings[4].find("7 dirty lines") == 0);
}

TEST_CASE("without bandwidths the run says that it does not know") {
  Example run = jacobi();
  run.machine.core.per_cycle = {};
  run.machine.core.scalar = {};
  for (CacheLevel& cache : run.machine.caches) cache.link = {};
  run.machine.memory.bandwidth.clear();
  const Summary s = run.summary();
  CHECK(s.total.bound_by().empty());
  CHECK(s.verdict.find("speed unknown") != std::string::npos);
  CHECK(s.advice.find("unknown") != std::string::npos);
  CHECK_FALSE(s.total.ecm->updates_per_second);
}

TEST_CASE("an empty run has no updates, no rates and no crash") {
  Example run = jacobi();
  run.results[0] = result_of(run.program.nests[0], 0, 3, 2);
  const Summary s = run.summary();
  CHECK_FALSE(s.total.ecm);
  CHECK_FALSE(s.total.levels[0].bytes_per_update);
  CHECK_FALSE(s.total.roofline.updates_per_second);
}
