// Affine runs in which leaving out touches could lose something: each was found by the property tests or thought up
// against docs/engine.md, "Reduced streams".
#include "both.hpp"

using namespace mansard;
using namespace mansard::test;

namespace {
StreamRef load() { return {{}, 0, 8, Kind::load}; }
StreamRef store() { return {{}, 0, 8, Kind::store}; }
}  // namespace

// The first store is more than a line ahead of the second. The lines between them when the run starts have been loaded
// only: the second store makes them dirty.
TEST_CASE("two stores of one stream, more than a line apart") {
  Both caches({lru(64, 8)});
  caches.run({store(), load(), store(), load()}, {640, 576, 568, 560}, {8, 8, 8, 8}, 64);
  caches.drain();
  CHECK(caches.boundary(1).write_back == 10 * 64);  // lines 8 to 17
  CHECK(caches.dirty_lines() == 0);
}

// References less than a line apart are one stream, however long: here of 48 bytes, three lines. The lines between the
// two stores when the run starts are dirty only after 24 iterations, when the second one has come to where the first
// began.
TEST_CASE("two stores of one stream, three lines apart, with loads between them") {
  Both caches({lru(3, 3)}, {{"a", 0, 1}}, 16);
  const StreamRef load2{{}, 0, 2, Kind::load}, store2{{}, 0, 2, Kind::store};
  caches.run({load2, load2, load2, store2, store2, load2}, {24, 38, 10, 0, 48, 0}, std::vector<Int>(6, 2), 25);
  CHECK(caches.dirty_lines() == 7);  // lines 0 to 6
}

// A store's line is taken out by inclusion and loaded again, clean, before the next store to it.
TEST_CASE("a line that is lost and loaded again between two stores of a run") {
  Both caches({lru(2, 2), with(lru(1, 3), Role::inclusive)}, {{"a", 0, 1}}, 128);
  caches.access(2 * 128, 8, Kind::load);
  caches.access(4 * 128, 8, Kind::load);
  caches.run({store(), load(), load()}, {1024, 1024 + 512, 1024}, {8, 8, 8}, 100);
  caches.drain();
  CHECK(caches.dirty_lines() == 0);
  CHECK(caches.boundary(1).write_back > 0);
}

// FIFO: a hit does not keep a line, so that it can be evicted right after it was stored to, and come back clean.
TEST_CASE("a line that FIFO evicts between two uses in one iteration") {
  Both caches({fifo(1, 2)});
  caches.load({16, 40});
  caches.run({store(), load(), load()}, {16 * 64, 17 * 64, 16 * 64}, {8, 8, 8}, 64);
  CHECK(caches.level(0).load_misses > 0);
  caches.drain();
  CHECK(caches.dirty_lines() == 0);
}
