// In-core times as modelled by hand in Stengel, Treibig, Hager, Wellein, ICS 2015 (daxpy, 2D-5pt, uxx) and as printed
// in Hammer et al., PMBS 2015 (Schoenauer triad, Kahan dot) and SC 2016 (sum): cycles per cache line of results.
#include "model/incore.hpp"

#include "by_hand.hpp"
#include "model/instructions.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::by_hand;

namespace {

struct PerLine {
  double t_ol, t_nol;
  std::string bound;
};

PerLine on(const Machine& machine, const Nest& nest) {
  const NestResult result = result_of(nest, 800);
  const InCore core = in_core(machine, nest, result);
  const double unit = results_per_line(machine, nest, result.executions) / 800.0;
  REQUIRE(core.t_ol);
  REQUIRE(core.t_nol);
  return {core.t_ol->value * unit, core.t_nol->value * unit, core.bound};
}

const Ref load_a{0, Kind::load}, load_b{1, Kind::load}, load_c{2, Kind::load}, store_a{0, Kind::store};

}  // namespace

TEST_CASE("daxpy on Sandy Bridge: 4 and 4 cycles") {
  const PerLine t = on(sandy_bridge(), loop({load_a, load_b, store_a}, 8, flops(1, 1)));
  CHECK(t.t_ol == Approx(4));
  CHECK(t.t_nol == Approx(4));
}

TEST_CASE("2D-5pt on Sandy Bridge: 6 cycles of additions, 8 of loads") {
  const PerLine t = on(sandy_bridge(), loop({load_b, load_b, load_b, load_b, store_a}, 8, flops(3, 1)));
  CHECK(t.t_ol == Approx(6));
  CHECK(t.t_nol == Approx(8));
  CHECK(t.bound == "load");
}

TEST_CASE("Schoenauer triad on Sandy Bridge: 4 and 6 cycles") {
  const PerLine t = on(sandy_bridge(), loop({load_b, load_c, load_b, store_a}, 8, flops(1, 1)));
  CHECK(t.t_ol == Approx(4));
  CHECK(t.t_nol == Approx(6));
}

TEST_CASE("a float sum is split into partial sums: 2 and 2 cycles for 16 updates") {
  const Recurrence sum{flops(1, 0), 1, true};
  const PerLine t = on(sandy_bridge(), loop({load_a}, 4, flops(1, 0), sum));
  CHECK(t.t_ol == Approx(2));
  CHECK(t.t_nol == Approx(2));
}

TEST_CASE("Kahan's dot product is bound by its chain of four additions: 96 cycles, loads scalar") {
  const Recurrence chain{flops(4, 0), 1, false};
  const PerLine t = on(sandy_bridge(), loop({load_a, load_b}, 8, flops(4, 1), chain));
  CHECK(t.t_ol == Approx(96));  // 8 updates of 4 additions of 3 cycles
  CHECK(t.t_nol == Approx(8));
  CHECK(t.bound == "chain");
}

TEST_CASE("a divide binds uxx: two AVX divides of 42 cycles") {
  std::vector<Ref> refs(19, load_b);
  refs.push_back(store_a);
  const PerLine t = on(sandy_bridge(), loop(refs, 8, flops(18, 8, 0, 1)));
  CHECK(t.t_ol == Approx(84));
  CHECK(t.t_nol == Approx(38));
  CHECK(t.bound == "div");
}

TEST_CASE("strided accesses are scalar, a step of minus one is not") {
  const Ref strided{1, Kind::load, 19}, backwards{1, Kind::load, -1};
  CHECK(on(sandy_bridge(), loop({strided, store_a}, 8, flops(1, 0))).t_nol == Approx(4));  // 8 scalar loads, 2 a cycle
  CHECK(on(sandy_bridge(), loop({backwards, store_a}, 8, flops(1, 0))).t_nol == Approx(2));
}

TEST_CASE("an address that uses a slot read from a table is a gather") {
  Nest nest = loop({load_a, store_a}, 8, flops(1, 0));
  Body& body = std::get<Body>(std::get<StreamLoop>(nest.nodes[0].is).body[0].is);
  body.defines.push_back({1, std::uint16_t{0}, Quasi::of_slot(0)});
  body.refs[0].address += Quasi::of_slot(1) * 8;
  CHECK(on(sandy_bridge(), nest).t_nol == Approx(4));
}

TEST_CASE("with FMA units sums and products share their ports") {
  Machine haswell = sandy_bridge();
  haswell.core.per_cycle = {2.0, 1.0, 2.0, 1.0, 2.0, std::nullopt, std::nullopt};
  haswell.core.scalar = {};
  const PerLine t = on(haswell, loop({load_b, store_a}, 8, flops(1, 4, 3)));
  CHECK(t.t_ol == Approx(8));  // (1 + 4 + 3) x 2 SIMD instructions over 2 ports
  CHECK(t.bound == "fp");
}

TEST_CASE("on AMD Zen sums have ports of their own") {
  Machine zen2 = sandy_bridge();
  zen2.core.per_cycle = {2.0, 1.0, 2.0, 2.0, 2.0, std::nullopt, std::nullopt};
  zen2.core.scalar = {};
  zen2.core.separate_add = true;
  const Nest products = loop({load_b, store_a}, 8, flops(5, 4, 3)), sums = loop({load_b, store_a}, 8, flops(9, 4, 3));
  CHECK(on(zen2, products).t_ol == Approx(7));  // (4 + 3) x 2 SIMD instructions over 2 ports
  CHECK(on(zen2, products).bound == "fp");
  CHECK(on(zen2, sums).t_ol == Approx(9));
  CHECK(on(zen2, sums).bound == "add");
}

TEST_CASE("fma() on a core without FMA units is a product and a sum") {
  CHECK(on(sandy_bridge(), loop({load_b, store_a}, 8, flops(0, 0, 5))).t_ol == Approx(10));
}

TEST_CASE("figures that the machine file lacks are named and not guessed") {
  Machine bare = sandy_bridge();
  bare.core.per_cycle = {};
  bare.core.scalar = {};
  const Nest nest = loop({load_b, store_a}, 8, flops(1, 0));
  const InCore core = in_core(bare, nest, result_of(nest, 800));
  CHECK_FALSE(core.t_nol);
  CHECK_FALSE(core.t_ol);
  CHECK(core.missing ==
        std::vector<std::string>{"core.per_cycle.add", "core.per_cycle.loads", "core.per_cycle.stores"});
}

TEST_CASE("the unit of work is a line of the array most stored to, else most loaded from") {
  const Machine m = sandy_bridge();
  const std::vector<std::uint64_t> executions{800};
  CHECK(results_per_line(m, loop({load_a, store_a}, 8, {}), executions) == 8);
  CHECK(results_per_line(m, loop({load_a}, 4, {}), executions) == 16);
}
