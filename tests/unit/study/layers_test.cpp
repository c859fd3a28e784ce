// Layer conditions from files to figures: limits found by trying sizes, bands by simulating other capacities.
#include "study/band.hpp"
#include "study/run.hpp"
#include "support/catch.hpp"

using namespace mansard;

namespace {

Summary jacobi_on_ivy_bridge(const std::string& n, BandRuns band = BandRuns::near_edges) {
  const std::filesystem::path root = MANSARD_SOURCE_DIR;
  RunRequest request;
  request.workload = root / "workloads" / "jacobi-3d-7pt.yaml";
  request.machine = root / "machines" / "cpu" / "ivybridge-ep-e5-2660v2.yaml";
  request.definitions = {{"N", n}};
  request.layer_limits = true;
  request.band = band;
  return run(request);
}

}  // namespace

TEST_CASE("five rows of a and one of b: 48 N bytes fit into 32 KiB up to N = 683, into 256 KiB up to 5462") {
  const Summary summary = jacobi_on_ivy_bridge("40");
  REQUIRE(summary.total.layers);
  const auto& conditions = summary.total.layers->conditions;
  REQUIRE(conditions.size() == 4);  // elements, rows, planes, everything
  REQUIRE(conditions[1].limits[0].size() == 1);
  CHECK(conditions[1].limits[0][0].parameter == "N");
  CHECK(conditions[1].limits[0][0].largest == 683);
  CHECK(conditions[1].limits[1][0].largest == 5462);
  CHECK(conditions[2].limits[0][0].largest == 32);  // three planes of a and one of b: about 32 N^2 bytes
  CHECK(conditions[2].limits[1][0].largest == 90);
  CHECK(conditions[3].limits[2][0].largest == 118);  // a and b: 16 N^3 bytes in 25 MiB
  CHECK(conditions[0].limits[0].empty());            // eight neighbours fit always
}

TEST_CASE("at the last N whose planes fit into the L2 the traffic behind it lies between both sides of the edge") {
  const Summary edge = jacobi_on_ivy_bridge("90");
  const auto& levels = edge.total.levels;
  CHECK_FALSE(levels[1].band);  // L1: planes never fit, rows always do
  REQUIRE(levels[2].band);
  CHECK(levels[2].band->low == Approx(24).epsilon(0.05));
  CHECK(levels[2].band->high == Approx(40).epsilon(0.05));
  CHECK(*levels[2].bytes_per_update >= levels[2].band->low);
  CHECK(*levels[2].bytes_per_update <= levels[2].band->high);
}

TEST_CASE("away from edges there is no band, and none where nobody wants one") {
  for (const LevelSummary& level : jacobi_on_ivy_bridge("200", BandRuns::always).total.levels) CHECK_FALSE(level.band);
  for (const LevelSummary& level : jacobi_on_ivy_bridge("90", BandRuns::never).total.levels) CHECK_FALSE(level.band);
}

TEST_CASE("a scaled machine keeps its ways") {
  Machine machine;
  machine.caches.resize(1);
  machine.caches[0].sets = 64, machine.caches[0].ways = 8, machine.caches[0].line = 64;
  const CacheLevel& larger = scaled(machine, 1.4).caches[0];
  CHECK(larger.ways == 8);
  CHECK(larger.sets == 90);  // 89.6
  CHECK(larger.size == 90 * 8 * 64);
}
