// Whole simulations, as the program runs them: on one to three threads, with and without fast-forward, cold and warm,
// against the naive twin.
#include "study/simulate.hpp"

#include <rapidcheck.h>

#include "property/holds.hpp"
#include "property/random_hierarchy.hpp"
#include "property/random_nest.hpp"
#include "property/rapidcheck_draw.hpp"
#include "study/shares.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::property;

namespace {

/// Mostly with sets that can be shared out.
Geometry sharable_geometry(Draw& draw) {
  Geometry geometry = draw.chance(50) ? random_geometry(draw) : random_plain_geometry(draw);
  if (draw.chance(10)) return geometry;
  const auto classes = draw.one_of<std::uint64_t>({2, 2, 4, 8, 64});
  for (LevelGeometry& level : geometry.levels) {
    if (level.sets <= 64) level.sets *= classes;
    level.hash.clear();
    level.pages = {};
    level.sectors = 1;
    level.prefetch = {};
  }
  return geometry;
}

void must_agree(const Simulation& fast, const Simulation& naive) {
  RC_ASSERT(fast.nests.size() == naive.nests.size());
  for (std::size_t n = 0; n < naive.nests.size(); ++n) {
    const NestResult &a = fast.nests[n], &b = naive.nests[n];
    if (a.counters != b.counters) RC_LOG() << a.counters << "-- against --\n" << b.counters;
    RC_ASSERT(a.counters == b.counters);
    RC_ASSERT(a.executions == b.executions);
    RC_ASSERT(a.work == b.work);
  }
  RC_ASSERT(fast.dirty_left == naive.dirty_left);
}

}  // namespace

TEST_CASE("simulations on one to three threads") {
  CHECK(holds(
      "every number of threads counts what the naive twin counts",
      [] {
        RapidcheckDraw draw;
        Geometry geometry = sharable_geometry(draw);
        RC_LOG() << Case{geometry, {}, {}};
        const Program program = random_program(draw, geometry);
        RC_LOG() << program;
        geometry.nontemporal = stores_nontemporally(program);  // as simulate() finds, for set_classes() below
        SimulateOptions options;
        options.cold = draw.chance(50);
        options.drain = draw.chance(70);
        options.naive = true;
        const Simulation naive = simulate(program, geometry, options);
        options.naive = false;
        options.warp = draw.chance(60);
        for (options.threads = 1; options.threads <= 3; ++options.threads) {
          RC_LOG() << options.threads << " threads" << (options.warp ? "" : ", no fast-forward")
                   << (options.cold ? ", cold\n" : ", warm\n");
          const Simulation fast = simulate(program, geometry, options);
          RC_ASSERT(fast.threads == std::min<std::uint64_t>(options.threads, set_classes(geometry)));
          must_agree(fast, naive);
        }
      },
      40));
}
