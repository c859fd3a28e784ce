// Lines of several sectors, followed by hand. A sector is 64 B here and named by its number; two make a line.
#include "both.hpp"

using namespace mansard;
using namespace mansard::test;

namespace {
LevelGeometry sectored(LevelGeometry level, std::uint32_t sectors = 2) {
  level.sectors = sectors;
  return level;
}
}  // namespace

// As in the cache models of GPUs: a hit of the tag on a sector that is not valid is a miss of the sector.
TEST_CASE("a sector that is not there is a miss, though its line is") {
  Both caches({sectored(lru(1, 4), 4)});
  caches.load({0});
  CHECK(caches.boundary(1).demand_fills == 64);
  CHECK_FALSE(caches.load_hits(0, 1));
  CHECK(caches.load_hits(0, 0));
  CHECK(caches.load_hits(0, 1));
  CHECK(caches.boundary(1).demand_fills == 2 * 64);
}

TEST_CASE("two lines of two sectors: a third line pushes one out, with all of its sectors") {
  Both caches({sectored(lru(1, 2))});
  caches.load({0, 1});
  caches.store({3});
  caches.load({2, 0});  // lines: 0 (sectors 0 1), 1 (2, and 3 dirty)
  CHECK(caches.boundary(1).write_back == 0);
  caches.load({4});  // line 1 goes: the dirty sector is written back, the clean one is not
  CHECK(caches.boundary(1).write_back == 64);
  CHECK(caches.load_hits(0, 0));
  CHECK(caches.load_hits(0, 1));
  CHECK_FALSE(caches.load_hits(0, 2));
}

TEST_CASE("a sector that joins its line is a use of the line") {
  Both caches({sectored(lru(1, 2))});
  caches.load({0, 2, 1, 4});  // line 0 is renewed by its sector 1: line 1 goes
  CHECK(caches.load_hits(0, 0));
  CHECK_FALSE(caches.load_hits(0, 2));
}

TEST_CASE("both sectors of a line go to a victim level, one by one") {
  Both caches({sectored(lru(1, 1)), with(sectored(lru(1, 4)), Role::victim)});
  caches.load({0});
  caches.store({1});
  caches.load({2});
  CHECK(caches.boundary(1).clean_victims == 64);
  CHECK(caches.boundary(1).write_back == 64);
  CHECK(caches.load_hits(1, 0));
}

TEST_CASE("a line that loses its last sector makes room") {
  Both caches({sectored(lru(1, 2))});
  caches.load({0, 2});
  caches.access(0, 8, Kind::nontemporal);  // takes sector 0 out, and so line 0
  caches.load({4});
  CHECK(caches.load_hits(0, 2));
}

TEST_CASE("a store to one sector of a large line writes one sector back") {
  Both caches({sectored(lru(4, 4), 4), lru(64, 4)});
  for (std::uint64_t n = 0; n < 256; ++n) caches.store({4 * n});
  caches.drain();
  CHECK(caches.boundary(1).write_allocate == 256 * 64);
  CHECK(caches.boundary(1).write_back == 256 * 64);
}
