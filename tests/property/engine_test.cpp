// The engine with everything that makes it fast (reduced runs, stages, fast-forward) against the naive twin, which sees
// every access: all counters and the executions of every body are equal, cold, warm and drained.
#include <rapidcheck.h>

#include "property/holds.hpp"
#include "property/random_hierarchy.hpp"
#include "property/random_nest.hpp"
#include "property/rapidcheck_draw.hpp"
#include "stream/translations.hpp"
#include "stream/walker.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::property;

namespace {

struct Side {
  std::unique_ptr<Hierarchy> hierarchy;
  Walker walker;
  Side(const Program& program, std::unique_ptr<Hierarchy> h)
      : hierarchy(std::move(h)), walker(program, hierarchy->loop_hook()) {}
  void walk(const Nest& nest) {
    walker.walk(nest, [this](const Batch& batch) { hierarchy->consume(batch); });
  }
};

void must_agree(const Side& a, const Side& b) {
  if (a.hierarchy->counters() != b.hierarchy->counters()) {
    RC_LOG() << a.hierarchy->counters() << "-- against --\n" << b.hierarchy->counters();
  }
  RC_ASSERT(a.hierarchy->counters() == b.hierarchy->counters());
  RC_ASSERT(a.hierarchy->dirty_lines() == b.hierarchy->dirty_lines());
  RC_ASSERT(a.walker.executions() == b.walker.executions());
}

void check(const Program& program, Geometry geometry) {
  RC_LOG() << program;
  geometry.nontemporal = stores_nontemporally(program);
  Side fast(program, make_hierarchy(geometry, program.regions));
  Side naive(program, make_naive(geometry, program.regions));
  for (int pass = 0; pass < 2; ++pass) {
    for (const Nest& nest : program.nests) {
      fast.walk(nest);
      naive.walk(nest);
      must_agree(fast, naive);
    }
  }
  fast.hierarchy->drain();
  naive.hierarchy->drain();
  must_agree(fast, naive);
}

}  // namespace

TEST_CASE("random nests on random hierarchies") {
  CHECK(holds("the engine counts what the naive twin counts", [] {
    RapidcheckDraw draw;
    const Geometry geometry = random_geometry(draw);
    RC_LOG() << Case{geometry, {}, {}};
    check(random_program(draw, geometry), geometry);
  }));
}

TEST_CASE("random nests on TLBs, which are caches of pages") {
  CHECK(holds("the engine counts what the naive twin counts", [] {
    RapidcheckDraw draw;
    Machine machine;
    for (int k = draw.any(1, 2); k > 0; --k) {
      const auto ways = draw.any(1U, 5U), sets = draw.any(1U, 3U);
      machine.tlb.push_back({"", ways * sets, ways, 4096, draw.one_of({"lru", "srrip"})});
    }
    const Geometry geometry = tlb_geometry_of(machine);
    check(translations_of(random_program(draw, geometry)), geometry);
  }));
}

TEST_CASE("random nests on plain hierarchies, where every short cut applies") {
  CHECK(holds("the engine counts what the naive twin counts", [] {
    RapidcheckDraw draw;
    const Geometry geometry = random_plain_geometry(draw);
    RC_LOG() << Case{geometry, {}, {}};
    check(random_program(draw, geometry), geometry);
  }));
}
