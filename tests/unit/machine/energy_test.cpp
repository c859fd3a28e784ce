// The key `energy`.
#include "machine_text.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::test;

TEST_CASE("energy per flop and per byte of a level") {
  const Energy none = machine_with({}).energy;
  CHECK_FALSE(none.any());
  CHECK(none.levels.size() == 3);
  const Energy some = machine_with({"energy={flop: 10 pJ/flop, levels: {L2: 1.5nJ/B, DRAM: 160 pJ/B}}"}).energy;
  CHECK(some.any());
  CHECK(some.flop->value == Approx(10e-12));
  CHECK_FALSE(some.levels[0]);
  CHECK(some.levels[1]->value == Approx(1.5e-9));
  CHECK(some.levels[2]->value == Approx(160e-12));
}

TEST_CASE("mistakes in energies are named together") {
  const std::string all = mistakes({"energy={flop: 10 pJ, levels: {L1: -1 pJ/B, L3: 1 pJ/B}}"});
  CHECK(all.find("energy.flop: '10 pJ': expected an energy such as 2.5 pJ/flop (pJ, nJ)") != std::string::npos);
  CHECK(all.find("energy.levels.L1: '-1 pJ/B': expected an energy such as 2.5 pJ/B (pJ, nJ)") != std::string::npos);
  CHECK(all.find("energy.levels.L3") != std::string::npos);
}
