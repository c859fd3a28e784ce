// Inclusive and victim levels, followed line by line. Addresses are line numbers; L1 is one line unless said otherwise.
#include "both.hpp"

using namespace mansard;
using namespace mansard::test;

TEST_CASE("neither inclusive nor exclusive: what leaves L2 stays in L1") {
  Both caches({lru(1, 2), lru(1, 2)});
  caches.load({0, 1, 0});  // L1: 0 1. The hit in L1 is not seen by L2, where 0 is the oldest
  caches.load({2});        // L1: 2 0, L2: 2 1
  CHECK(caches.load_hits(0, 0));
  CHECK_FALSE(caches.load_hits(1, 3));
}

TEST_CASE("inclusive: what leaves L2 leaves L1 as well (drcachesim's test of inclusion)") {
  Both caches({lru(1, 2), with(lru(1, 2), Role::inclusive)});
  caches.load({0, 1, 0});
  caches.load({2});  // takes 0 out of L2 and so out of L1
  CHECK_FALSE(caches.load_hits(0, 0));
}

TEST_CASE("inclusive: a dirty line taken out above is written back across every boundary, once") {
  Both caches({lru(4, 1), lru(4, 1), with(lru(1, 2), Role::inclusive)});
  caches.store({0});
  caches.load({1, 2});  // L3 has room for two: line 0 leaves all three
  CHECK(caches.boundary(1).write_back == 64);
  CHECK(caches.boundary(2).write_back == 64);
  CHECK(caches.boundary(3).write_back == 64);
  CHECK(caches.dirty_lines() == 0);
}

TEST_CASE("inclusive: copies that are dirty at two levels are one write-back") {
  Both caches({lru(4, 1), lru(1, 4), with(lru(1, 2), Role::inclusive)});
  caches.store({0});
  caches.load({4});   // line 0 leaves L1 for L2, where it is dirty
  caches.store({0});  // and is stored again: dirty in L1 and in L2. L3: 4 0, the hit in L2 did not reach it
  CHECK(caches.boundary(1).write_back == 64);
  caches.load({1});  // line 0 leaves L3 and every level above
  CHECK(caches.boundary(1).write_back == 2 * 64);
  CHECK(caches.boundary(2).write_back == 64);
  CHECK(caches.boundary(3).write_back == 64);
  CHECK(caches.dirty_lines() == 0);
}

// As in pycachesim's test_victim_cache: the victim level is filled by what L1 evicts, and by nothing else.
TEST_CASE("victim: fills from memory pass it by") {
  Both caches({lru(1, 1), with(lru(1, 4), Role::victim)});
  caches.load({0});
  CHECK(caches.boundary(1).in() == 0);
  CHECK(caches.boundary(2).demand_fills == 64);
  caches.load({1});  // 0 becomes a clean victim
  CHECK(caches.boundary(1).clean_victims == 64);
  caches.load({0});  // and moves up again, 1 down
  CHECK(caches.boundary(1).demand_fills == 64);
  CHECK(caches.boundary(2).demand_fills == 2 * 64);
  CHECK(caches.level(1).load_hits == 1);
  CHECK(caches.level(1).load_misses == 2);
}

TEST_CASE("victim: all lines into and out of L2 are those at its two boundaries outward") {
  Both caches({lru(1, 1), lru(1, 2), with(lru(1, 4), Role::victim)});
  for (std::uint64_t n = 0; n < 60; ++n) {
    caches.load({n % 5});
    caches.store({n % 5});
  }
  // L2 fills are the misses of L2; they come from the victim level or from memory.
  CHECK(caches.boundary(2).in() + caches.boundary(3).in() == caches.level(1).misses() * 64);
}

TEST_CASE("victim: dirtiness moves with the line and is never lost") {
  Both caches({lru(1, 1), with(lru(1, 4), Role::victim)});
  caches.store({0});
  caches.load({1});  // 0 is a dirty victim
  CHECK(caches.boundary(1).write_back == 64);
  caches.load({0, 2});  // 0 comes up, still dirty, and goes out once more
  CHECK(caches.boundary(1).write_back == 2 * 64);
  CHECK(caches.boundary(2).write_back == 0);
  CHECK(caches.dirty_lines() == 1);
  caches.drain();
  CHECK(caches.boundary(2).write_back == 64);
}

TEST_CASE("victim that copies: a hit leaves the line, and its dirtiness, where it is") {
  LevelGeometry copies = with(lru(1, 4), Role::victim);
  copies.victim_copies = true;
  Both caches({lru(1, 1), copies});
  caches.store({0});
  caches.load({1, 0, 2});
  CHECK(caches.boundary(1).write_back == 64);         // 0 went out dirty once, and clean afterwards
  CHECK(caches.boundary(1).clean_victims == 2 * 64);  // 1 and the copy of 0
  CHECK(caches.load_hits(1, 0));
}

TEST_CASE("victim: 28160 sets of 16 ways hold what modulo puts there (DynamoRIO #6454: any number of sets)") {
  Both caches({lru(1, 1), with(lru(28160, 16), Role::victim)});
  for (std::uint64_t n = 0; n < 18; ++n) caches.load({5 + n * 28160});  // 17 victims meet in set 5
  CHECK_FALSE(caches.load_hits(1, 5));                                  // the first has been pushed out
  CHECK(caches.load_hits(1, 5 + 2 * 28160));
}

// In the spirit of drcachesim's tests of exclusive caches: `exclusive` is a victim level whose hits move.
TEST_CASE("exclusive: a line is in one of the two levels") {
  Both caches({lru(1, 2), with(lru(1, 2), Role::victim)});
  caches.load({0, 1, 2, 3});  // L1: 3 2, L2: 1 0
  CHECK(caches.boundary(2).demand_fills == 4 * 64);
  caches.load({0});  // moves up, 2 moves down: L1: 0 3, L2: 2 1
  CHECK(caches.boundary(2).demand_fills == 4 * 64);
  caches.load({1});  // the room that 0 left was taken by 2, so that both levels together hold four lines
  caches.load({2});
  CHECK(caches.boundary(2).demand_fills == 4 * 64);
  CHECK(caches.level(1).load_hits == 3);
}

TEST_CASE("exclusive: a cycle over as many lines as both levels hold misses neither, of one more misses both") {
  const auto misses = [](std::uint64_t lines) {
    Both caches({lru(1, 2), with(lru(1, 3), Role::victim)});
    for (int pass = 0; pass < 4; ++pass) {
      for (std::uint64_t line = 0; line < lines; ++line) caches.load({line});
    }
    return caches.level(1).load_misses;
  };
  CHECK(misses(5) == 5);
  CHECK(misses(6) == 4 * 6);
}

TEST_CASE("exclusive: a store that misses takes the line up and dirties it there") {
  Both caches({lru(1, 1), with(lru(1, 2), Role::victim)});
  caches.load({0, 1});  // 0 is in L2
  caches.store({0});    // up, 1 down
  CHECK(caches.boundary(1).write_allocate == 64);
  CHECK(caches.level(1).store_hits == 1);
  CHECK(caches.boundary(1).write_back == 0);
  caches.load({2});  // 0 goes down dirty
  CHECK(caches.boundary(1).write_back == 64);
  CHECK(caches.dirty_lines() == 1);
}
