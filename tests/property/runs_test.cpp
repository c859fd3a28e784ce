// Affine runs on caches so small that nearly every touch matters: where leaving touches out goes wrong, it goes wrong
// here first.
#include <rapidcheck.h>

#include "cache/policy.hpp"
#include "property/holds.hpp"
#include "property/random_hierarchy.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::property;

namespace {

// Over the whole range from the first case on: cases are small anyway.
Int any(Int low, Int high) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<Int>(low, high + 1)); }
Int one_of(std::initializer_list<Int> values) { return *rc::gen::elementOf(std::vector<Int>(values)); }

Geometry tiny_geometry() {
  Geometry geometry{static_cast<std::uint32_t>(one_of({16, 32, 64})), {}};
  for (Int k = 0, levels = any(1, 3); k < levels; ++k) {
    LevelGeometry level;
    level.sets = static_cast<std::uint64_t>(any(1, 3 + 2 * k));
    level.ways = static_cast<std::uint32_t>(any(1, 4 + 4 * k));
    level.policy = find_policy(any(0, 3) > 0 ? "lru" : "fifo");
    if (k > 0) level.role = *rc::gen::elementOf(std::vector{Role::nine, Role::nine, Role::inclusive, Role::victim});
    geometry.levels.push_back(level);
  }
  return geometry;
}

/// References to elements of one size within some lines of each other, mostly with one stride.
OwnedRun tiny_run(Int line) {
  constexpr Int origin = Int{1} << 20;
  OwnedRun run;
  const Int element = one_of({1, 2, 4, 8});
  const Int elements = line / element;
  const Int common = element * one_of({1, 1, 1, -1, 2, 3, elements});
  const bool mixed = any(0, 3) == 0, streaming = any(0, 3) == 0;
  for (Int r = any(1, 7); r > 0; --r) {
    const Kind kind = any(0, 9) < 6 ? Kind::load : streaming && any(0, 3) == 0 ? Kind::nontemporal : Kind::store;
    run.refs.push_back({{}, 0, static_cast<std::uint8_t>(element), kind});
    const Int apart = kind == Kind::nontemporal && any(0, 3) > 0 ? origin : 0;
    run.base.push_back(origin + apart + element * any(0, one_of({3, 12}) * elements));
    run.stride.push_back(mixed ? one_of({0, element, -element, 2 * element, 3 * element, line}) : common);
  }
  run.count = static_cast<std::uint64_t>(any(8, one_of({12, 40, 200})));
  return run;
}

}  // namespace

TEST_CASE("a run counts what its elements count, one by one") {
  CHECK(holds(
      "equal counters after every run, and drained",
      [] {
        const Geometry geometry = tiny_geometry();
        const std::vector<Region> regions{{"a", 0, 1}};
        const auto fast = make_hierarchy(geometry, regions), naive = make_naive(geometry, regions);
        Case c{geometry, regions, {{tiny_run(geometry.line)}, {{}}}};
        RC_LOG() << c;
        OwnedRun& run = c.stream.runs.front();
        const Int shift = geometry.line * any(-2, 2);
        for (Int repeat = any(1, 3); repeat > 0; --repeat) {
          fast->consume(run.view());
          naive->consume(run.view());
          RC_ASSERT(fast->counters() == naive->counters());
          RC_ASSERT(fast->dirty_lines() == naive->dirty_lines());
          for (Int& base : run.base) base += shift;
        }
        fast->drain();
        naive->drain();
        RC_ASSERT(fast->counters() == naive->counters());
      },
      400));
}
