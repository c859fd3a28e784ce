// Write-allocate evasion, hashed set indices and prefetching, followed line by line.
#include "both.hpp"

using namespace mansard;
using namespace mansard::test;

namespace {
LevelGeometry evading(LevelGeometry level, std::uint32_t millionths) {
  level.evasion = millionths;
  return level;
}
LevelGeometry prefetching(LevelGeometry level, Prefetch prefetch) {
  level.prefetch = prefetch;
  return level;
}
constexpr Prefetch adjacent{true, 0, 0};
constexpr Prefetch streams(std::uint32_t number, std::uint32_t distance) { return {false, number, distance}; }
}  // namespace

// floor(0.4 n) for n = 1 … 10 is 0 0 1 1 2 2 2 3 3 4: the misses 3, 5, 8 and 10 are spared.
TEST_CASE("evasion: of ten store misses of a set at 0.4, the 3rd, 5th, 8th and 10th fetch nothing") {
  Both caches({evading(lru(1, 1), 400'000), lru(1, 64)});
  std::vector<std::uint64_t> spared;
  for (std::uint64_t n = 1; n <= 10; ++n) {
    const std::uint64_t before = caches.boundary(1).write_allocate;
    caches.store({n});
    if (caches.boundary(1).write_allocate == before) spared.push_back(n);
  }
  CHECK(spared == std::vector<std::uint64_t>{3, 5, 8, 10});
  CHECK(caches.boundary(2).write_allocate == 6 * 64);  // a fetch that does not happen is seen at no boundary
  CHECK(caches.level(0).store_misses == 10);
  CHECK(caches.level(1).store_misses == 6);
  CHECK(caches.boundary(1).write_back == 9 * 64);  // all lines are dirty
}

TEST_CASE("evasion counts the store misses of each set by themselves, and no loads") {
  Both caches({evading(lru(2, 1), 500'000)});
  caches.store({0, 1});  // the first of each set
  caches.load({2, 3});
  CHECK(caches.boundary(1).write_allocate == 2 * 64);
  caches.store({4, 5});  // the second of each: spared
  CHECK(caches.boundary(1).write_allocate == 2 * 64);
}

// Ice Lake at 18 cores: update and copy have the same bandwidth, because a copy moves 16 B an element and not 24.
TEST_CASE("evasion of 1: a copy moves as much as with streaming stores") {
  Both caches({evading(lru(64, 8), 1'000'000), lru(1024, 16)});
  constexpr Int elements = 1 << 20;
  caches.run({{{}, 0, 8, Kind::load}, {{}, 0, 8, Kind::store}}, {0, elements * 8}, {8, 8}, elements);
  caches.drain();
  CHECK(caches.boundary(2).total() == 16 * elements);
  CHECK(caches.boundary(2).write_allocate == 0);
}

TEST_CASE("evasion is decided by the first level that allocates") {
  LevelGeometry passes = lru(1, 1);
  passes.allocate = false;
  Both caches({evading(passes, 1'000'000), lru(1, 4)});
  caches.store({0});
  CHECK(caches.boundary(2).write_allocate == 64);
  Both spared({passes, evading(lru(1, 4), 1'000'000)});
  spared.store({0});
  CHECK(spared.boundary(2).in() == 0);
  CHECK(spared.dirty_lines() == 1);
}

// Four sets of one way; bit 0 of the set is the parity of the line's bits 0 and 2, bit 1 is its bit 1.
TEST_CASE("hashed index: lines 0 and 4 part, lines 0 and 5 meet") {
  LevelGeometry hashed = lru(4, 1);
  hashed.hash = {0b101 * 64, 0b010 * 64};
  for (const char* policy : {"lru", "fifo", "srrip"}) {
    hashed.policy = find_policy(policy);
    Both caches({hashed});
    caches.load({0, 4});
    CHECK(caches.load_hits(0, 0));
    CHECK(caches.load_hits(0, 4));
    caches.load({5});
    CHECK_FALSE(caches.load_hits(0, 0));
    CHECK(caches.load_hits(0, 4));
  }
}

// docs/bytes.md gives the frames; of pages 0 1 2 3 … of 4 KiB with seed 1 they are, computed apart,
// 0 0 1 1 0 1 1 1 modulo 2.
TEST_CASE("physical pages: a cache of two pages has each page in the half where its frame lies") {
  LevelGeometry two_pages = lru(128, 1);
  two_pages.pages = {4096, 1};
  Both caches({two_pages});
  constexpr std::uint64_t page = 64;  // lines
  caches.load({0, 2 * page});         // in different halves, where modulo would have them meet
  CHECK(caches.load_hits(0, 0));
  CHECK(caches.load_hits(0, 2 * page));
  caches.load({1 * page});  // in the half of page 0
  CHECK_FALSE(caches.load_hits(0, 0));
  caches.load({5 * page + 1});  // the half of page 2, but not its set
  CHECK(caches.load_hits(0, 2 * page));
}

// The first load brings line 2 into the second cache, between two streaming stores to it. The next store takes it out
// again, so it must not be left out, though no reference but the stores touches the line. Found by the property tests.
TEST_CASE("a line that is prefetched between two streaming stores to it") {
  Both caches({fifo(64, 8), prefetching(lru(1, 8), adjacent)});
  const StreamRef store{{}, 0, 8, Kind::nontemporal}, load{{}, 0, 8, Kind::load};
  caches.run({store, load}, {2 * 64 + 56, 3 * 64}, {-8, 8}, 24);
  CHECK(caches.boundary(2).prefetch == 2 * 64);  // lines 2 and 5: line 4 is missed, then
  CHECK(!caches.load_hits(1, 2));
}

TEST_CASE("adjacent line: a miss brings the other line of the pair, counted as prefetch at every boundary") {
  Both caches({lru(1, 1), prefetching(lru(1, 8), adjacent), lru(1, 16)});
  caches.load({4});
  CHECK(caches.boundary(1).prefetch == 0);
  CHECK(caches.boundary(2).demand_fills == 64);
  CHECK(caches.boundary(2).prefetch == 64);
  CHECK(caches.boundary(3).prefetch == 64);
  CHECK(caches.level(2).misses() == 1);  // prefetches are no look-ups by demand
  CHECK(caches.load_hits(1, 5));         // a hit is a hit
  caches.load({7});
  CHECK(caches.load_hits(1, 6));
  CHECK(caches.boundary(2).prefetch == 2 * 64);
}

TEST_CASE("stream: from the second line on, the lines ahead are asked for") {
  Both caches({prefetching(lru(1, 32), streams(1, 3))});
  caches.load({10});
  CHECK(caches.boundary(1).prefetch == 0);
  caches.load({11});
  CHECK(caches.boundary(1).prefetch == 3 * 64);  // 12 13 14
  CHECK(caches.load_hits(0, 12));                // asks for 15: 13 and 14 are there
  CHECK(caches.boundary(1).prefetch == 4 * 64);
  caches.load({12, 12});  // the same line again is no news
  CHECK(caches.boundary(1).prefetch == 4 * 64);
  CHECK(caches.load_hits(0, 15) == true);  // three further: a new stream, which takes the place of the only one
  CHECK(caches.boundary(1).prefetch == 4 * 64);
}

TEST_CASE("stream: downwards too, never past the page, and the oldest of too many is forgotten") {
  Both down({prefetching(lru(1, 32), streams(2, 2))});
  down.load({66, 65});  // the page of 4 KiB starts at line 64
  CHECK(down.boundary(1).prefetch == 64);
  Both three({prefetching(lru(1, 32), streams(2, 1))});
  three.load({100, 200, 300, 101});  // 100 was forgotten for 300
  CHECK(three.boundary(1).prefetch == 0);
  three.load({301});
  CHECK(three.boundary(1).prefetch == 64);
}

TEST_CASE("a prefetched line that pushes a dirty one out has it written back") {
  Both caches({prefetching(lru(1, 2), adjacent)});
  caches.store({8});
  CHECK(caches.boundary(1).write_allocate == 64);
  caches.load({2});  // 9 and 8 make room for 2 and 3
  CHECK(caches.boundary(1).write_back == 64);
  CHECK(caches.boundary(1).prefetch == 2 * 64);
}
