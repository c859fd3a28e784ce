#include "workload/quasi.hpp"

#include <limits>

#include "support/catch.hpp"

using namespace mansard;

namespace {
Quasi slot(Slot s) { return Quasi::of_slot(s); }
}  // namespace

TEST_CASE("terms of one slot are one term and vanish at zero") {
  const Quasi q = slot(1) * 3 + slot(0) - slot(1) * 3 + Quasi(5);
  CHECK(q.terms == std::vector<Term>{{0, 1}});
  CHECK(q.constant == 5);
  CHECK((slot(0) - slot(0)).is_constant());
}

TEST_CASE("division rounds towards minus infinity, and what divides evenly leaves the floor") {
  CHECK(floor_div(Int{-7}, 2) == -4);
  CHECK(floor_div(Int{7}, 2) == 3);
  const std::vector<Int> at{5, -3};
  CHECK(floor_div(slot(0) * 4 + Quasi(9), 4) == slot(0) + Quasi(2));
  CHECK(floor_div(slot(0) + slot(1) * 4, 4).at(at) == 1 - 3);
  CHECK(modulo(slot(1), 2).at(at) == 1);
  CHECK(modulo(slot(0) * 2, 2) == Quasi(0));
}

TEST_CASE("substitution reaches into floors") {
  const Quasi q = modulo(slot(0) + slot(1), 3);
  const Quasi by = slot(2) * 3 + Quasi(1);
  for (Int a = 0; a < 4; ++a) {
    for (Int b = 0; b < 4; ++b) {
      const std::vector<Int> direct{3 * b + 1, a, b};
      CHECK(q.substitute(0, by).at(direct) == q.at(direct));
    }
  }
}

TEST_CASE("ranges contain every value and saturate instead of overflowing") {
  const Quasi q = slot(0) * -2 + modulo(slot(0), 2) + Quasi(10);
  const std::vector<Interval> ranges{{0, 5}};
  const Interval r = range(q, ranges);
  for (Int v = 0; v <= 5; ++v) {
    const std::vector<Int> at{v};
    CHECK(q.at(at) >= r.low);
    CHECK(q.at(at) <= r.high);
  }
  CHECK(range(slot(0) * 4, std::vector<Interval>{{0, Int{1} << 62U}}).high == std::numeric_limits<Int>::max());
}
