#include "cache/counters.hpp"

#include "support/catch.hpp"

using namespace mansard;

TEST_CASE("counters add, subtract and take the shape of what is added") {
  Counters a(1, 2);
  a.loads = 3;
  a.levels[0].load_misses = 2;
  a.flows[1][0].demand_fills = 64;
  a.flows[1][1].write_back = 128;
  a.flows[1][1].clean_victims = 1;

  Counters sum;
  sum += a;
  sum += a;
  CHECK(sum.loads == 6);
  CHECK(sum.levels[0].misses() == 4);
  CHECK(sum.boundary(1).in() == 128);
  CHECK(sum.boundary(1).out() == 258);
  CHECK(sum - a == a);
}

TEST_CASE("every kind of flow is in or out, once") {
  const Flow flow{.demand_fills = 1,
                  .write_allocate = 2,
                  .prefetch = 4,
                  .write_back = 8,
                  .clean_victims = 16,
                  .nontemporal = 32,
                  .write_through = 64};
  CHECK(flow.in() == 7);
  CHECK(flow.out() == 120);
  CHECK(flow.total() == 127);
  Flow twice = flow;
  twice += flow;
  CHECK(twice.total() == 254);
  twice -= flow;
  CHECK(twice == flow);
}
