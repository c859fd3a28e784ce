// Several cores: the production hierarchy against its naive twin on random nests whose loops are shared among cores,
// over random private and shared caches. And the twin of several cores against the twin of one.
#include "cache/cores/cores.hpp"

#include <rapidcheck.h>

#include "property/holds.hpp"
#include "property/random_hierarchy.hpp"
#include "property/random_nest.hpp"
#include "property/rapidcheck_draw.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::property;

namespace {

struct Side {
  std::unique_ptr<CoresHierarchy> hierarchy;
  CoresWalker walker;
  Side(const Program& program, std::uint32_t cores, std::unique_ptr<CoresHierarchy> h)
      : hierarchy(std::move(h)), walker(program, cores, hierarchy->step_hook()) {}
  void walk(const Nest& nest) {
    walker.walk(nest, [this](std::uint32_t core, const Batch& batch) { hierarchy->consume(core, batch); });
  }
};

void must_agree(const Side& a, const Side& b) {
  if (a.hierarchy->counters() != b.hierarchy->counters()) {
    RC_LOG() << a.hierarchy->counters() << "-- against --\n" << b.hierarchy->counters();
  }
  RC_ASSERT(a.hierarchy->counters() == b.hierarchy->counters());
  RC_ASSERT(a.hierarchy->sharing() == b.hierarchy->sharing());
  RC_ASSERT(a.hierarchy->dirty_lines() == b.hierarchy->dirty_lines());
  RC_ASSERT(a.walker.executions() == b.walker.executions());
}

int any(int low, int high) { return *rc::gen::inRange(low, high + 1); }

/// Marks the outer or the middle loop of every nest, in blocks or in chunks.
void share(std::vector<StreamNode>& nodes, int depth, Int chunk) {
  for (StreamNode& node : nodes) {
    if (auto* guard = std::get_if<StreamGuard>(&node.is)) share(guard->body, depth, chunk);
    auto* loop = std::get_if<StreamLoop>(&node.is);
    if (loop == nullptr) continue;
    if (depth > 0) {
      share(loop->body, depth - 1, chunk);
    } else {
      loop->parallel = true;
      loop->chunk = chunk;
    }
  }
}

Program random_shared_program(Draw& draw, const Geometry& geometry) {
  Program program = random_program(draw, geometry);
  for (Nest& nest : program.nests) share(nest.nodes, any(0, 9) / 5, any(0, 9) < 7 ? 0 : any(1, 3));
  return program;
}

/// What several cores do not have.
Geometry for_several_cores(Geometry geometry) {
  for (LevelGeometry& level : geometry.levels) level.sectors = 1, level.prefetch = {};
  geometry.combining = 0;
  return geometry;
}

void share_caches(Geometry& geometry) {
  std::uint32_t cores = any(0, 9) < 8 ? 1 : 2;
  for (LevelGeometry& level : geometry.levels) {
    level.shared_by = cores;
    cores *= static_cast<std::uint32_t>(any(0, 9) < 5 ? 1 : any(2, 4));
  }
}

void check(const Program& program, const Geometry& geometry, std::uint32_t cores) {
  RC_LOG() << program << cores << " cores; shared by";
  for (const LevelGeometry& level : geometry.levels) RC_LOG() << ' ' << level.shared_by;
  RC_LOG() << '\n';
  Side fast(program, cores, make_cores(geometry, program.regions, cores));
  Side naive(program, cores, make_naive_cores(geometry, program.regions, cores));
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

TEST_CASE("random nests on several cores of random hierarchies") {
  CHECK(holds(
      "the hierarchy of several cores counts what its naive twin counts",
      [] {
        RapidcheckDraw draw;
        Geometry geometry = for_several_cores(random_geometry(draw));
        share_caches(geometry);
        RC_LOG() << Case{geometry, {}, {}};
        check(random_shared_program(draw, geometry), geometry, static_cast<std::uint32_t>(any(1, 4)));
      },
      20));
}

TEST_CASE("random nests on several cores of plain hierarchies, where every short cut applies") {
  CHECK(holds(
      "the hierarchy of several cores counts what its naive twin counts",
      [] {
        RapidcheckDraw draw;
        Geometry geometry = for_several_cores(random_geometry(draw));
        for (LevelGeometry& level : geometry.levels) level.write_back = level.allocate = level.store_promotes = true;
        share_caches(geometry);
        RC_LOG() << Case{geometry, {}, {}};
        check(random_shared_program(draw, geometry), geometry, static_cast<std::uint32_t>(any(2, 4)));
      },
      20));
}

TEST_CASE("one core of several is the hierarchy of one core") {
  CHECK(holds(
      "the naive twins agree",
      [] {
        RapidcheckDraw draw;
        Case c = random_case(draw);
        c.geometry = for_several_cores(c.geometry);
        RC_LOG() << c;
        const auto one = make_naive(c.geometry, c.regions);
        const auto several = make_naive_cores(c.geometry, c.regions, 1);
        for (const Element& e : elements_of(c.stream)) {
          one->consume(std::span(&e, 1));
          several->consume(0, std::span(&e, 1));
        }
        RC_ASSERT(one->counters() == several->counters());
        one->drain();
        several->drain();
        RC_ASSERT(one->counters() == several->counters());
        RC_ASSERT(one->dirty_lines() == several->dirty_lines());
      },
      10));
}
