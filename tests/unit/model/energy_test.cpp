// Energy per flop and byte: 8 flops at 10 pJ, 64 B at 2, 12, 25 and 160 pJ.
#include "model/energy.hpp"

#include "by_hand.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::by_hand;

namespace {
Counters one_line() {
  Counters counters(3, 1);
  for (auto& boundary : counters.flows) boundary[0].demand_fills = 40, boundary[0].write_back = 24;
  return counters;
}
Machine priced() {
  Machine machine = sandy_bridge();
  machine.energy.flop = JoulesPerFlop{10e-12};
  for (const double cost : {2e-12, 12e-12, 25e-12, 160e-12}) machine.energy.levels.emplace_back(JoulesPerByte{cost});
  return machine;
}
Work eight_flops() {
  Work work;
  work.add = 2, work.fma = 3;
  return work;
}
}  // namespace

TEST_CASE("flops and bytes add up: 80 pJ + 64 (2 + 12 + 25 + 160) pJ") {
  const auto use = energy_of(priced(), one_line(), eight_flops());
  REQUIRE(use);
  CHECK(use->flops->value == Approx(80e-12));
  CHECK(use->boundaries[3]->value == Approx(64 * 160e-12));
  CHECK(use->total->value == Approx(12816e-12));
}

TEST_CASE("a part that is used and not known leaves the sum unknown; one that is not used costs nothing") {
  Machine machine = priced();
  machine.energy.levels[2].reset();
  const auto partly = energy_of(machine, one_line(), eight_flops());
  CHECK_FALSE(partly->boundaries[2]);
  CHECK_FALSE(partly->total);
  CHECK(partly->boundaries[3]);
  Counters none(3, 1);
  CHECK(energy_of(machine, none, eight_flops())->total->value == Approx(80e-12));
  machine.energy.flop.reset();
  CHECK(energy_of(machine, none, Work{})->total->value == 0);
}

TEST_CASE("a machine without figures has no energy") {
  CHECK_FALSE(energy_of(sandy_bridge(), one_line(), eight_flops()));
}
