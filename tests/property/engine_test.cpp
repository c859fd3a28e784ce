// The engine with everything that makes it fast (reduced runs, stages, fast-forward) against the naive twin, which sees
// every access: all counters and the executions of every body are equal, cold, warm and drained.
#include <rapidcheck.h>

#include "property/holds.hpp"
#include "property/random_hierarchy.hpp"
#include "property/random_nest.hpp"
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

void check(const Program& program, const Geometry& geometry) {
  RC_LOG() << program;
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
    const Geometry geometry = random_geometry();
    RC_LOG() << Case{geometry, {}, {}};
    check(random_program(), geometry);
  }));
}

TEST_CASE("random nests on TLBs, which are caches of pages") {
  CHECK(holds("the engine counts what the naive twin counts", [] {
    Machine machine;
    for (int k = *rc::gen::inRange(1, 3); k > 0; --k) {
      const auto ways = *rc::gen::inRange<std::uint32_t>(1, 6), sets = *rc::gen::inRange<std::uint32_t>(1, 4);
      machine.tlb.push_back({"", ways * sets, ways, 4096, *rc::gen::element<std::string>("lru", "srrip")});
    }
    check(translations_of(random_program()), tlb_geometry_of(machine));
  }));
}

TEST_CASE("random nests on plain hierarchies, where every short cut applies") {
  CHECK(holds("the engine counts what the naive twin counts", [] {
    Geometry geometry = random_geometry();
    for (LevelGeometry& level : geometry.levels) {
      level.write_back = level.allocate = level.store_promotes = true;
      if (*rc::gen::inRange(0, 4) > 0) level.role = Role::nine;
    }
    RC_LOG() << Case{geometry, {}, {}};
    check(random_program(), geometry);
  }));
}
