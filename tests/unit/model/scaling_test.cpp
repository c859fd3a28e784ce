// Scaling over the cores of a memory domain: the plain ECM model, and its latency penalty by hand.
#include "model/scaling.hpp"

#include "support/catch.hpp"

using namespace mansard;

TEST_CASE(
    "without a penalty 2D-5pt on Sandy Bridge, {8 | 18 | 24 | 37} with 13 at memory, saturates with three cores") {
  // Stengel et al., ICS 2015: n_S = ceil(37 / 13) = 3
  const auto points = scale(Cycles(37), Cycles(13), Cycles(0), 4);
  REQUIRE(points.size() == 4);
  CHECK(points[1].speedup == Approx(2));
  CHECK(points[1].utilization == Approx(26. / 37));
  CHECK(points[2].utilization == 1);
  CHECK(points[2].speedup == Approx(37. / 13));
  CHECK(points[3].speedup == Approx(37. / 13));
}

TEST_CASE("the penalty slows cores down before the interface is full") {
  const auto points = scale(Cycles(40), Cycles(10), Cycles(8), 5);
  CHECK(points[0].time == Cycles(40));
  CHECK(points[0].utilization == Approx(0.25));
  CHECK(points[1].time.value == Approx(40 + 1 * 0.25 * 8));  // 42
  CHECK(points[1].utilization == Approx(20. / 42));
  CHECK(points[2].time.value == Approx(40 + 2 * (20. / 42) * 8));  // 47.6
  CHECK(points[2].utilization == Approx(30 / (40 + 16 * 20. / 42)));
  CHECK(points[3].speedup < 4 * 40. / 50);
  CHECK(points[4].utilization <= 1);
}

TEST_CASE("what never touches memory scales with the cores") {
  CHECK(scale(Cycles(40), Cycles(0), Cycles(8), 16).back().speedup == Approx(16));
}
