// Iterations that wait for the store before them, counted by hand for 64-byte lines and 32-byte registers: additions
// take 3 cycles, products 5, loads 7.
#include "model/split_loads.hpp"

#include "by_hand.hpp"
#include "model/ecm.hpp"
#include "model/incore.hpp"
#include "support/catch.hpp"
#include "support/kernel.hpp"

using namespace mansard;

namespace {

Machine ivy_bridge() {
  Machine machine = by_hand::sandy_bridge();
  machine.core.latency = {{"add", 3}, {"mul", 5}, {"simd_load", 7}};
  machine.core.split_loads_wait = true;
  return machine;
}

/// Cycles per line of results for 800 executions of the one body of the loop.
double per_line(const Machine& machine, const std::string& statement, const std::string& schedule = "") {
  const Program program = lower(
      kernel_of("double a[900], b[900], c, s;\nfor (int i = 1; i < 801; ++i) " + statement, {}, "", schedule), {});
  NestResult result;
  result.executions.assign(program.bodies, 800);
  return in_core(machine, program.nests.front(), result).t_split_loads.value / 100;
}

}  // namespace

TEST_CASE(
    "a central point beside its neighbours: the left one splits in one register of a line, the right one in the "
    "other") {
  // left: 7 + 2 additions + 1 product = 18; right, which is added last: 7 + 3 + 5 = 15
  CHECK(per_line(ivy_bridge(), "b[i] = c * (a[i] + a[i-1] + a[i+1]);") == Approx(18 + 15));
  CHECK(per_line(ivy_bridge(), "b[i] = c * (a[i-1] + a[i+1] + a[i]);") == Approx(18 + 18));
  CHECK(per_line(ivy_bridge(), "b[i] = a[i] + a[i+2];") == Approx(7 + 3));
}

TEST_CASE("no wait without the central point, without neighbours, in scalar code and on later cores") {
  CHECK(per_line(ivy_bridge(), "b[i] = c * (a[i-1] + a[i+1]);") == 0);
  CHECK(per_line(ivy_bridge(), "b[i] = c * a[i];") == 0);
  CHECK(per_line(ivy_bridge(), "b[i] = a[i] + a[i+4];") == 0);
  CHECK(per_line(ivy_bridge(), "b[i] = c * (a[i] + a[i-1] + a[i+1]);", "scalar(i)") == 0);
  Machine haswell = ivy_bridge();
  haswell.core.split_loads_wait = false;
  CHECK(per_line(haswell, "b[i] = c * (a[i] + a[i-1] + a[i+1]);") == 0);
}

TEST_CASE("the wait overlaps with transfers: the slower of both is one core's time") {
  Machine machine = ivy_bridge();
  machine.serial = {"REG-L1", "L1-DRAM"};
  machine.caches.resize(1);
  InCore core;
  core.t_ol = Cycles(1), core.t_nol = Cycles(10), core.t_split_loads = Cycles(33);
  const auto one_core = [&](double transfer) {
    return ecm_times(machine, core, {Cycles(transfer)}, Cycles(4)).one_core;
  };
  CHECK(one_core(12)->value == Approx(33));
  CHECK(one_core(20)->value == Approx(34));
}
