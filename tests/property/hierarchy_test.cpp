// The production hierarchy against its naive twin, and against what must hold for any hierarchy.
#include <rapidcheck.h>

#include "cache/policy.hpp"
#include "property/holds.hpp"
#include "property/random_hierarchy.hpp"
#include "property/rapidcheck_draw.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::property;

namespace {

void feed(Hierarchy& hierarchy, const Stream& stream) {
  for (std::size_t n = 0; n < stream.runs.size(); ++n) {
    hierarchy.consume(stream.runs[n].view());
    hierarchy.consume(std::span<const Element>(stream.gathers[n]));
  }
}

void feed_in_pieces(Hierarchy& hierarchy, std::span<const Element> all) {
  while (!all.empty()) {
    const std::size_t piece = *rc::gen::inRange<std::size_t>(1, all.size() + 1);
    hierarchy.consume(all.first(piece));
    all = all.subspan(piece);
  }
}

void must_agree(const Hierarchy& a, const Hierarchy& b) {
  if (a.counters() != b.counters()) RC_LOG() << a.counters() << "-- against --\n" << b.counters();
  RC_ASSERT(a.counters() == b.counters());
  RC_ASSERT(a.dirty_lines() == b.dirty_lines());
}

}  // namespace

TEST_CASE("the production hierarchy counts what the naive twin counts") {
  CHECK(holds("equal counters on every stream and machine", [] {
    RapidcheckDraw draw;
    const Case c = random_case(draw);
    RC_LOG() << c;
    const auto fast = make_hierarchy(c.geometry, c.regions), naive = make_naive(c.geometry, c.regions);
    feed(*fast, c.stream);
    feed(*naive, c.stream);
    must_agree(*fast, *naive);
    fast->drain();
    naive->drain();
    must_agree(*fast, *naive);
    RC_ASSERT(fast->dirty_lines() == 0U);
    feed(*fast, c.stream);  // warm, out of the state that draining left
    feed(*naive, c.stream);
    must_agree(*fast, *naive);
  }));
}

TEST_CASE("batches are only an envelope") {
  CHECK(holds("runs, single elements and pieces of any size count the same", [] {
    RapidcheckDraw draw;
    const Case c = random_case(draw);
    RC_LOG() << c;
    const auto runs = make_hierarchy(c.geometry, c.regions), pieces = make_hierarchy(c.geometry, c.regions);
    feed(*runs, c.stream);
    feed_in_pieces(*pieces, elements_of(c.stream));
    must_agree(*runs, *pieces);
  }));
}

TEST_CASE("what goes into a level is what its look-ups missed") {
  CHECK(holds("conservation", [] {
    RapidcheckDraw draw;
    Case c = random_case(draw);
    for (LevelGeometry& level : c.geometry.levels) {
      level.role = Role::nine;
      level.write_back = level.allocate = true;
      level.writeback_miss = WritebackMiss::allocate;
      level.evasion = 0;
    }
    RC_LOG() << c;
    const auto hierarchy = make_hierarchy(c.geometry, c.regions);
    feed(*hierarchy, c.stream);
    const Counters& counted = hierarchy->counters();
    RC_ASSERT(counted.levels[0].hits() + counted.levels[0].misses() <= counted.line_lookups);
    for (std::size_t k = 0; k < counted.levels.size(); ++k) {
      const Flow below = counted.boundary(k + 1);
      RC_ASSERT(below.demand_fills == counted.levels[k].load_misses * c.geometry.line);
      RC_ASSERT(below.write_allocate == counted.levels[k].store_misses * c.geometry.line);
      if (k > 0) {
        RC_ASSERT(counted.levels[k].load_hits + counted.levels[k].load_misses == counted.levels[k - 1].load_misses);
        RC_ASSERT(counted.levels[k].store_hits + counted.levels[k].store_misses == counted.levels[k - 1].store_misses);
      }
    }
  }));
}
