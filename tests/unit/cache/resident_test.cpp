// Nests that (nearly) fit into the first cache: which touches are kept, on examples small enough to follow by hand.
// Lines are 64 B; a body that touches line n is written as its number.
#include "cache/resident.hpp"

#include "cache/policy.hpp"
#include "support/catch.hpp"

using namespace mansard;

namespace {

constexpr Slot outer = 0, place = 1, inner = 2;  // `place` is of a loop around the nest: where the array is

LevelGeometry cache(std::uint64_t sets, std::uint32_t ways) {
  LevelGeometry level;
  level.sets = sets;
  level.ways = ways;
  level.policy = find_policy("lru");
  return level;
}

/// `times` times over the same line: for (i = 1 … times) each of `kinds`. Every block has a loop variable of its own.
StreamNode block(std::uint32_t id, Int line, Int times, std::vector<Kind> kinds) {
  Body body;
  body.id = id;
  for (const Kind kind : kinds) {
    body.refs.push_back({Quasi(64 * line) + Quasi::of_slot(place) * 64, 0, 8, kind});
  }
  return {StreamLoop{static_cast<Slot>(inner + id), {Quasi(1)}, {Quasi(times)}, 1, {}, {{std::move(body)}}, {}}};
}

StreamLoop nest(std::vector<StreamNode> blocks) {
  return {outer, {Quasi(0)}, {Quasi(1)}, 1, {}, std::move(blocks), {}};
}

/// What is kept of the second execution of the nest after `skipped` that teach its shape; "0 2s": a load of line 0, a
/// store of line 2. "all" if the nest has to be simulated in full.
std::string kept(ResidentNests& nests, const StreamLoop& loop, int skipped, Int at = 0) {
  const std::vector<Int> environment{0, at, 0, 0, 0};
  for (int n = 0; n < skipped; ++n) REQUIRE(nests.find(loop, 0, 2, environment) == nullptr);
  const ResidentNests::Execution* execution = nests.find(loop, 0, 2, environment);
  if (execution == nullptr) return "all";
  std::string text;
  for (const Event event : execution->events) {
    text += (text.empty() ? "" : " ") + std::to_string(event.line()) + (event.kind() == Event::store ? "s" : "");
  }
  return text;
}

}  // namespace

TEST_CASE("where every set has room, the first and the last touch of each line are kept") {
  ResidentNests nests(cache(2, 2), 64);
  const StreamLoop loop = nest({block(0, 0, 8, {Kind::load}), block(1, 2, 4, {Kind::load, Kind::store})});
  CHECK(kept(nests, loop, 1) == "0 2 0 2s");     // in the order of the first touches, then of the last ones
  CHECK(kept(nests, loop, 0, 5) == "5 7 5 7s");  // elsewhere: the shape is the same
}

TEST_CASE("what is left out is still requested and executed") {
  ResidentNests nests(cache(2, 2), 64);
  const StreamLoop loop = nest({block(0, 0, 8, {Kind::load}), block(1, 2, 4, {Kind::load, Kind::store})});
  REQUIRE(kept(nests, loop, 1) != "all");
  const ResidentNests::Execution* execution = nests.find(loop, 0, 2, std::vector<Int>{0, 0, 0, 0, 0});
  REQUIRE(execution != nullptr);
  std::uint64_t loads = 0, stored_bytes = 0;
  for (const Requested& r : execution->requested) {
    loads += r.kind == Kind::load ? r.accesses : 0;
    stored_bytes += r.kind == Kind::store ? r.bytes : 0;
  }
  CHECK(loads == 2 * (8 + 4));
  CHECK(stored_bytes == 2 * 4 * 8);
  REQUIRE(execution->bodies.size() == 2);
  CHECK(execution->bodies[0] == std::pair<std::uint32_t, std::uint64_t>(0, 16));
  CHECK(execution->bodies[1] == std::pair<std::uint32_t, std::uint64_t>(1, 8));
}

// Lines 0, 2 and 4 are of set 0, which has two ways: each of them is gone when its turn comes again. Of eight touches
// in a row the last one says when the line was last used, and the first one of the next eight misses.
TEST_CASE("in a crowded set the ends of each row of touches are kept as well") {
  ResidentNests nests(cache(2, 2), 64);
  const StreamLoop loop =
      nest({block(0, 0, 8, {Kind::load}), block(1, 2, 4, {Kind::load, Kind::store}), block(2, 4, 8, {Kind::load})});
  CHECK(kept(nests, loop, 2) == "0 0 2 2s 4 4 0 0 2 2s 4 4");
}

// Moved by one line, the lines are all of set 1: another place, to be found out anew, and the same answer.
TEST_CASE("a plan is made for a distance between arrays, and moves with the nest") {
  ResidentNests nests(cache(2, 2), 64);
  const StreamLoop loop =
      nest({block(0, 0, 8, {Kind::load}), block(1, 2, 4, {Kind::load, Kind::store}), block(2, 4, 8, {Kind::load})});
  REQUIRE(kept(nests, loop, 2) == "0 0 2 2s 4 4 0 0 2 2s 4 4");
  CHECK(kept(nests, loop, 0, 3) == "3 3 5 5s 7 7 3 3 5 5s 7 7");
}

TEST_CASE("a nest is simulated in full where nothing is gained or nothing is known") {
  const auto load = [](Int line, Int times) {
    return block(static_cast<std::uint32_t>(line), line, times, {Kind::load});
  };
  SECTION("a shape that comes once") {
    ResidentNests nests(cache(2, 2), 64);
    CHECK(kept(nests, nest({load(0, 8)}), 0) == "all");
  }
  SECTION("fewer than eight accesses a line") {
    ResidentNests nests(cache(2, 2), 64);
    CHECK(kept(nests, nest({load(0, 3)}), 3) == "all");
  }
  SECTION("more lines than the cache has") {
    ResidentNests nests(cache(1, 2), 64);
    CHECK(kept(nests, nest({load(0, 8), load(1, 8), load(2, 8)}), 3) == "all");
  }
  SECTION("accesses that straddle lines") {
    ResidentNests nests(cache(2, 2), 64);
    StreamLoop loop = nest({load(0, 8)});
    std::get<Body>(std::get<StreamLoop>(loop.body.front().is).body.front().is).refs.front().address.constant += 60;
    CHECK(kept(nests, loop, 3) == "all");
  }
  SECTION("non-temporal stores") {
    ResidentNests nests(cache(2, 2), 64);
    CHECK(kept(nests, nest({block(0, 0, 8, {Kind::nontemporal})}), 3) == "all");
  }
}
