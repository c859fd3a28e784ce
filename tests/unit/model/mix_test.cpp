// Which measured bandwidth stands for a kernel's mix of reads and writes.
#include "model/mix.hpp"

#include "by_hand.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::by_hand;

namespace {

std::string mix(std::uint64_t reads, std::uint64_t allocates, std::uint64_t writes) {
  Flow flow;
  flow.demand_fills = reads, flow.write_allocate = allocates, flow.write_back = writes;
  return nearest_mix(sandy_bridge(), flow)->name;
}

}  // namespace

TEST_CASE("streams of the benchmarks find themselves") {
  CHECK(mix(2, 0, 0) == "load");
  CHECK(mix(1, 1, 1) == "copy");
  CHECK(mix(1, 0, 1) == "update");
  CHECK(mix(3, 1, 1) == "triad");
  CHECK(mix(2, 0, 1) == "daxpy");
}

TEST_CASE("a bandwidth without writes does not stand for a kernel that writes: uxx (Hammer et al., PMBS 2015)") {
  CHECK(mix(50, 0, 10) == "daxpy");  // as far from load
  CHECK(mix(50, 0, 9) == "daxpy");   // nearer to load
  CHECK(mix(50, 0, 2) == "load");
}

TEST_CASE("a 7-point stencil without its layer condition lies nearest to triad") { CHECK(mix(3, 1, 1) == "triad"); }

TEST_CASE("streaming stores make a stencil an update: half reads, half writes") {
  Flow flow;
  flow.demand_fills = 8, flow.nontemporal = 8;
  CHECK(nearest_mix(sandy_bridge(), flow)->name == "update");
}

TEST_CASE("only measured mixes count, and the first wins a tie") {
  Machine m = sandy_bridge();
  m.memory.bandwidth.erase("load");
  CHECK(nearest_mix(m, Flow{})->name == "daxpy");
  m.memory.bandwidth.clear();
  CHECK_FALSE(nearest_mix(m, Flow{}));
}

TEST_CASE("where stores do not fetch, copy moves no more than it names: an update by its mix, and still a copy first") {
  Machine m = sandy_bridge();
  m.caches[0].evasion = {{1, 970'000}};
  CHECK(streams_of(m, "copy")->write_allocates == Approx(0.03));
  CHECK(streams_of(m, "triad")->write_allocates == Approx(0.03));
  CHECK(streams_of(m, "update")->write_allocates == 0);
  CHECK(streams_of(sandy_bridge(), "copy")->write_allocates == 1);
  Flow copy;
  copy.demand_fills = 100, copy.write_allocate = 3, copy.write_back = 100;
  CHECK(nearest_mix(m, copy)->name == "copy");
  m.caches[0].allocate = false;  // then the L2 decides, which fetches
  CHECK(streams_of(m, "copy")->write_allocates == 1);
}

TEST_CASE("memory bandwidth scales with the cores until a domain saturates") {
  Machine m = sandy_bridge();  // one domain of 8 cores
  const Bandwidth load = m.memory.bandwidth.at("load");
  CHECK(bandwidth_of(m, load, 1)->value == Approx(12.3e9));
  CHECK(bandwidth_of(m, load, 3)->value == Approx(36.9e9));
  CHECK(bandwidth_of(m, load, 8)->value == Approx(44.56e9));
  CHECK(bandwidth_of(m, load, 9)->value == Approx(2 * 44.56e9));
  CHECK_FALSE(bandwidth_of(m, Bandwidth{}, 1));
}
