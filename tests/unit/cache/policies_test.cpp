#include <algorithm>

#include "both.hpp"

using namespace mansard;
using namespace mansard::test;

TEST_CASE("LRU replaces what was not used for longest") {
  Both caches({lru(1, 4)});
  caches.load({0, 1, 2, 3, 0, 4});  // 1 goes
  CHECK(caches.load_hits(0, 0));
  CHECK_FALSE(caches.load_hits(0, 1));
}

TEST_CASE("FIFO replaces what came first, used or not") {
  Both caches({fifo(1, 4)});
  caches.load({0, 1, 2, 3, 0, 4});  // 0 goes
  CHECK(caches.load_hits(0, 1));
  CHECK_FALSE(caches.load_hits(0, 0));
}

// L. A. Belady, R. A. Nelson, G. S. Shedler, CACM 12 (1969): with FIFO more room can mean more misses.
TEST_CASE("Belady's anomaly: 9 misses in three ways, 10 in four") {
  const auto misses = [](std::uint32_t ways) {
    Both caches({fifo(1, ways)});
    caches.load({1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5});
    return caches.level(0).load_misses;
  };
  CHECK(misses(3) == 9);
  CHECK(misses(4) == 10);
}

// A cyclic sweep over one line more than fits misses always under LRU, whatever the way the set is stored in.
TEST_CASE("a sweep of ways + 1 lines never hits") {
  const std::uint32_t ways = GENERATE(1U, 2U, 16U, 64U, 65U, 1000U);
  Both caches({lru(1, ways)});
  for (int pass = 0; pass < 3; ++pass) {
    for (std::uint64_t line = 0; line <= ways; ++line) caches.load({line});
  }
  CHECK(caches.level(0).load_hits == 0);
  CHECK(caches.load_hits(0, ways));
  CHECK(caches.load_hits(0, 1));
}

TEST_CASE("policies are found by name") {
  const std::vector<std::string> names = policy_names();
  CHECK(std::find(names.begin(), names.end(), "lru") != names.end());
  CHECK(find_policy("fifo") != nullptr);
  CHECK(find_policy("fifi") == nullptr);
}
