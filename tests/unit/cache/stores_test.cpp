// What a store does: write modes, allocation, the switches, and stores that go past the caches.
#include "both.hpp"

using namespace mansard;
using namespace mansard::test;

TEST_CASE("write-back, write-allocate: a miss fetches the line, and it leaves dirty") {
  Both caches({lru(1, 1)});
  caches.store({0, 1});
  CHECK(caches.boundary(0).out() == 2 * 8);
  CHECK(caches.boundary(1).write_allocate == 2 * 64);
  CHECK(caches.boundary(1).demand_fills == 0);
  CHECK(caches.boundary(1).write_back == 64);
  CHECK(caches.level(0).store_misses == 2);
}

TEST_CASE("write-through: bytes go on, lines stay clean") {
  LevelGeometry through = lru(1, 2);
  through.write_back = false;
  SECTION("with allocation") {
    Both caches({through, lru(1, 4)});
    caches.store({0, 0});
    CHECK(caches.boundary(1).write_allocate == 64);
    CHECK(caches.boundary(1).write_through == 2 * 8);
    CHECK(caches.level(0).store_hits == 1);
    CHECK(caches.level(1).store_hits == 2);    // the two stores that were passed on
    CHECK(caches.level(1).store_misses == 1);  // the fetch
    CHECK(caches.boundary(2).write_through == 0);
    CHECK(caches.dirty_lines() == 1);  // in L2
  }
  SECTION("without: nothing is fetched at any level that does not allocate") {
    through.allocate = false;
    Both caches({through});
    caches.store({0, 0});
    CHECK(caches.boundary(1).in() == 0);
    CHECK(caches.boundary(1).write_through == 2 * 8);
    CHECK(caches.level(0).store_misses == 2);
  }
}

TEST_CASE("a store that hits makes its line the newest, or does not") {
  LevelGeometry level = lru(1, 2);
  level.store_promotes = GENERATE(true, false);
  Both caches({level});
  caches.load({0, 1});
  caches.store({0});
  caches.load({2});
  CHECK(caches.load_hits(0, 0) == level.store_promotes);
}

TEST_CASE("a write-back that misses the next level") {
  LevelGeometry outer = lru(1, 1);
  const auto caches_with = [&](WritebackMiss on_miss) {
    outer.writeback_miss = on_miss;
    Both caches({lru(1, 2), outer});
    caches.store({0});
    caches.load({1, 2});  // L2 has forgotten 0 when L1 writes it back
    REQUIRE(caches.boundary(1).write_back == 64);
    return caches;
  };
  SECTION("is put there without a fetch") {
    const Both caches = caches_with(WritebackMiss::allocate);
    CHECK(caches.boundary(2).in() == 3 * 64);
    CHECK(caches.boundary(2).write_back == 0);
    CHECK(caches.dirty_lines() == 1);
  }
  SECTION("is put there after a fetch") {
    const Both caches = caches_with(WritebackMiss::fetch);
    CHECK(caches.boundary(2).demand_fills == 2 * 64);
    CHECK(caches.boundary(2).write_allocate == 2 * 64);
    CHECK(caches.dirty_lines() == 1);
  }
  SECTION("is forwarded") {
    const Both caches = caches_with(WritebackMiss::forward);
    CHECK(caches.boundary(2).in() == 3 * 64);
    CHECK(caches.boundary(2).write_back == 64);
    CHECK(caches.dirty_lines() == 0);
  }
}

TEST_CASE("64 non-temporal stores of one byte are one line to memory and no fetch (pycachesim, test_write_combining)") {
  Both caches({lru(64, 8), lru(512, 8)});
  for (std::uint64_t byte = 0; byte < 64; ++byte) caches.access(byte, 1, Kind::nontemporal);
  CHECK(caches.boundary(0).nontemporal == 64);
  CHECK(caches.boundary(1).total() == 0);
  CHECK(caches.boundary(2).nontemporal == 64);
  CHECK(caches.boundary(2).total() == 64);
  CHECK(caches.counters().nontemporal_stores == 64);
  CHECK(caches.level(0).hits() + caches.level(0).misses() == 0);
}

TEST_CASE("a non-temporal store takes cached copies with it") {
  Both caches({lru(1, 2), lru(1, 4)});
  SECTION("clean ones vanish") {
    caches.load({0});
    caches.access(0, 8, Kind::nontemporal);
    CHECK(caches.boundary(2).nontemporal == 8);
  }
  SECTION("a dirty one is merged: the whole line goes") {
    caches.store({0});
    caches.access(0, 8, Kind::nontemporal);
    CHECK(caches.boundary(2).nontemporal == 64);
    CHECK(caches.dirty_lines() == 0);
  }
  CHECK_FALSE(caches.load_hits(0, 0));
  CHECK(caches.level(1).load_hits == 0);
}

TEST_CASE("write-combining buffers: two hold two lines at a time, a third takes the oldest") {
  Both caches({lru(4, 2), lru(8, 2)}, {{"a", 0, 1}}, 64, 2);
  const auto half = [&](std::uint64_t line, int which) {
    for (std::uint64_t i = 0; i < 4; ++i)
      caches.access(64 * line + 32 * static_cast<std::uint64_t>(which) + 8 * i, 8, Kind::nontemporal);
  };
  const auto written = [&] { return caches.boundary(2).nontemporal / 64; };
  half(0, 0);
  half(1, 0);
  CHECK(written() == 0);  // both are open
  half(0, 1);
  CHECK(written() == 1);  // 0 is complete
  half(2, 0);
  half(3, 0);
  CHECK(written() == 2);  // 1 had to leave half full
  half(1, 1);             // its other half needs a buffer again: 2 leaves
  CHECK(written() == 3);
  CHECK(caches.boundary(0).nontemporal == 6 * 32);
  SECTION("what is open is written in the end") {
    caches.drain();
    CHECK(written() == 5);
    CHECK(caches.boundary(1).total() == 0);
  }
  SECTION("a dirty copy goes by itself") {
    caches.store({9});
    half(9, 0);  // 3 leaves, and the dirty line 9
    CHECK(written() == 5);
    CHECK(caches.dirty_lines() == 0);
  }
}

// The middle of a copy with too few buffers for its streams: every line is written in pieces, each a whole line.
TEST_CASE("three interleaved streams over two write-combining buffers write every element as a line") {
  Both caches({lru(4, 2)}, {{"a", 0, 1}}, 64, 2);
  const StreamRef store{{}, 0, 8, Kind::nontemporal};
  caches.run({store, store, store}, {0, 64000, 128000}, {8, 8, 8}, 80);
  caches.drain();
  CHECK(caches.boundary(0).nontemporal == 3 * 80 * 8);
  CHECK(caches.boundary(1).nontemporal == 3 * 80 * 64);
}

TEST_CASE("an access that straddles a line is one request and two line look-ups") {
  Both caches({lru(4, 2)});
  caches.access(60, 8, Kind::load);
  caches.access(60, 8, Kind::nontemporal);
  CHECK(caches.counters().requests() == 2);
  CHECK(caches.counters().line_lookups == 4);
  CHECK(caches.level(0).load_misses == 2);
  CHECK(caches.boundary(0).demand_fills == 8);
  CHECK(caches.boundary(1).demand_fills == 128);
  CHECK(caches.boundary(1).nontemporal == 8);
}

TEST_CASE("draining writes a line down to the first level that has it, and from there on") {
  Both caches({lru(1, 1), lru(1, 2)});
  caches.store({0, 1});  // 0 is dirty in L2, 1 in L1
  CHECK(caches.dirty_lines() == 2);
  caches.drain();
  CHECK(caches.boundary(1).write_back == 2 * 64);
  CHECK(caches.boundary(2).write_back == 2 * 64);
  CHECK(caches.dirty_lines() == 0);
  caches.drain();
  CHECK(caches.boundary(2).write_back == 2 * 64);
  CHECK(caches.load_hits(0, 1));
}

TEST_CASE("traffic belongs to the array whose line moves") {
  Both caches({lru(1, 1)}, {{"a", 0, 100}, {"b", 128, 64}, {"c", 160, 32}});
  caches.access(64, 8, Kind::store, 0);   // a
  caches.access(128, 8, Kind::load, 1);   // b and c share the line: it is c's, the last to begin in it
  caches.access(1000, 8, Kind::load, 2);  // behind everything: c
  const auto& memory = caches.counters().flows[1];
  CHECK(memory[0].write_allocate == 64);
  CHECK(memory[0].write_back == 64);
  CHECK(memory[1].total() == 0);
  CHECK(memory[2].demand_fills == 128);
  CHECK(caches.counters().flows[0][1].demand_fills == 8);
}
