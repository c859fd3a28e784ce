// Policies with a state by way, in one set, against sequences that are published or followed by hand. Lines are
// numbers; the first ones fill the ways from the left.
#include <vector>

#include "both.hpp"

using namespace mansard;
using namespace mansard::test;

namespace {

using Lines = std::vector<std::uint64_t>;

/// Which of `lines` are in the one set of `ways` ways after loading `loads`, each asked in a cache of its own.
Lines left_of(const std::string& replacement, std::uint32_t ways, const Lines& loads, const Lines& lines) {
  Lines left;
  for (const std::uint64_t line : lines) {
    Both caches({by(replacement, 1, ways)});
    for (const std::uint64_t load : loads) caches.load({load});
    if (caches.load_hits(0, line)) left.push_back(line);
  }
  return left;
}

}  // namespace

// gem5 pull request #2548, review: "ACDEFGHB victimizes E, despite A being the LRU". A to H are the eight ways from the
// left, here 1 to 8. Each node of the tree has been passed, so that what was before does not matter: B sends the root
// to the right, H then the node of EFGH to EF, and F that of EF to E.
TEST_CASE("tree-PLRU of 8 ways: after A C D E F G H B, E goes") {
  const Lines fill{1, 2, 3, 4, 5, 6, 7, 8};
  for (const Lines& before : {fill, Lines{1, 2, 3, 4, 5, 6, 7, 8, 8, 5, 2}}) {
    Lines loads = before;
    for (const std::uint64_t line : {1, 3, 4, 5, 6, 7, 8, 2}) loads.push_back(line);
    loads.push_back(9);
    CHECK(left_of("tree-plru", 8, loads, fill) == Lines{1, 2, 3, 4, 6, 7, 8});
    CHECK(left_of("lru", 8, loads, fill) == Lines{2, 3, 4, 5, 6, 7, 8});
  }
}

TEST_CASE("tree-PLRU of 2 ways is LRU, of 1 way nothing to choose") {
  CHECK(left_of("tree-plru", 2, {1, 2, 1, 3}, {1, 2, 3}) == Lines{1, 3});
  CHECK(left_of("tree-plru", 1, {1, 2}, {1, 2}) == Lines{2});
}

TEST_CASE("tree-PLRU: an empty way is filled first, wherever the tree points") {
  Both caches({by("tree-plru", 1, 4), with(lru(1, 3), Role::inclusive)});
  caches.load(
      {1, 2, 3, 4});  // L2 has room for three: 1 has left both, and its way is empty; the tree points to 3's half
  caches.load({5});   // takes 2 out of L2 and L1; 5 goes to the way of 1
  CHECK(caches.load_hits(0, 3));
  CHECK(caches.load_hits(0, 4));
  CHECK(caches.load_hits(0, 5));
}

// Jaleel, Theobald, Steely, Emer, ISCA 2010, figure 3: of a1 a2 a2 a1 b1 b2 b3 b4 a1 a2 in four ways, LRU loses a1 and
// a2 to the scan b1 … b4, SRRIP of two bits keeps them. By hand: a1 a2 at 0, b1 b2 come in at 2; for b3 all are raised
// by one and b1, at 3, goes; b2, at 3 as well, makes room for b4.
TEST_CASE("SRRIP keeps what was used through a scan") {
  constexpr std::uint64_t a1 = 1, a2 = 2, b1 = 11, b2 = 12, b3 = 13, b4 = 14;
  const Lines loads{a1, a2, a2, a1, b1, b2, b3, b4};
  CHECK(left_of("srrip", 4, loads, {a1, a2, b1, b2, b3, b4}) == Lines{a1, a2, b3, b4});
  CHECK(left_of("lru", 4, loads, {a1, a2, b1, b2, b3, b4}) == Lines{b1, b2, b3, b4});
}

TEST_CASE("SRRIP of one bit: a line comes in at 0, and when all are, the leftmost goes") {
  CHECK(left_of("srrip-1", 4, {1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}) == Lines{2, 3, 4, 5});
  CHECK(left_of("srrip-1", 4, {1, 2, 3, 4, 5, 1, 6}, {2, 3, 4, 5, 1, 6}) == Lines{4, 5, 1, 6});
}

// Ages by hand, ways from the left; * is the line that was just accessed.
TEST_CASE("QLRU H11 M1 R1 U2 (Ivy Bridge L3)") {
  // 1 2 3 4: 1111, none has 3, all grow: 2222. 5 finds no 3 and takes way 0: 1*222, grow: 2333. 6 takes way 1.
  CHECK(left_of("qlru-h11-m1-r1-u2", 4, {1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}) == Lines{2, 3, 4, 5});
  CHECK(left_of("qlru-h11-m1-r1-u2", 4, {1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}) == Lines{3, 4, 5, 6});
}
TEST_CASE("QLRU H11 M1 R0 U0 (Coffee Lake L3)") {
  // 1 2 3 4: 1111, grow until the oldest has 3: 3333. 2: 31*33. 5 takes way 0, 6 way 2.
  CHECK(left_of("qlru-h11-m1-r0-u0", 4, {1, 2, 3, 4, 2, 5, 6}, {1, 2, 3, 4, 5, 6}) == Lines{2, 4, 5, 6});
}
TEST_CASE("QLRU H00 M1 R2 U1 (Coffee Lake L2): filled from the right, the line accessed does not grow") {
  // 4 3 2 1: 1*111, the others grow: 1333. 5 takes way 1, of 3: 4 5 2 1 with 11*33. 6 takes way 2.
  CHECK(left_of("qlru-h00-m1-r2-u1", 4, {1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}) == Lines{1, 2, 4, 5});
  CHECK(left_of("qlru-h00-m1-r2-u1", 4, {1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}) == Lines{1, 4, 5, 6});
}
TEST_CASE("QLRU H21 M2 R0 U0 UMO: ages grow on a miss only") {
  // 1 2 3 4: 2222. 1: 1*222. 5: grow to 2333, takes way 1: 22*33. 6 takes way 2, of 4 is left.
  CHECK(left_of("qlru-h21-m2-r0-u0-umo", 4, {1, 2, 3, 4, 1, 5, 6}, {1, 2, 3, 4, 5, 6}) == Lines{1, 4, 5, 6});
}
TEST_CASE("QLRU H00 M2 R0 U0 UMO is SRRIP of two bits (nanoBench lists it so)") {
  Both srrip({by("srrip", 4, 8)}), qlru({by("qlru-h00-m2-r0-u0-umo", 4, 8)});
  std::uint64_t state = 1;
  for (int n = 0; n < 5000; ++n) {
    state = state * 6364136223846793005U + 1442695040888963407U;  // the constants of Knuth's MMIX
    const std::uint64_t line = (state >> 40U) % 70;
    srrip.load({line});
    qlru.load({line});
  }
  CHECK(srrip.level(0).load_misses > 1000);
  CHECK(srrip.counters() == qlru.counters());
}

// docs/bytes.md gives the hash; its draws for set 0 of four ways, computed apart: lines 5, 6, 7, 8 of a set go to the
// ways 1 0 3 1 with seed 1 and 1 3 0 3 with seed 42.
TEST_CASE("random: the way is drawn from seed, set and number of the line") {
  const Lines loads{1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(left_of("random", 4, loads, loads) == Lines{3, 6, 7, 8});
  CHECK(left_of("random-1", 4, loads, loads) == Lines{3, 6, 7, 8});
  CHECK(left_of("random-42", 4, loads, loads) == Lines{3, 5, 7, 8});
}

TEST_CASE("what a replacement may be called, and how many ways it takes") {
  CHECK(check_replacement("tree-plru", 8).empty());
  CHECK(check_replacement("tree-plru", 12) == "'tree-plru': tree-plru needs a power of two of ways, found 12");
  CHECK(check_replacement("tree-plru", 128) == "'tree-plru': tree-plru is simulated for up to 64 ways, found 128");
  CHECK(check_replacement("tree-plru-2", 8) == "'tree-plru-2': tree-plru takes no parameters");
  CHECK(check_replacement("lru-2", 8) == "'lru-2': there are no parameters");
  CHECK(check_replacement("lru", 1U << 20U).empty());
  for (const char* right : {"srrip", "srrip-1", "srrip-8", "qlru-h21-m3-r1-u3-umo", "random", "random-4294967295"})
    CHECK(check_replacement(right, 12).empty());
  for (const char* wrong : {"srrip-0", "srrip-9", "srrip-22", "qlru", "qlru-h12-m1-r0-u0", "qlru-h11-m1-r0-u2",
                            "qlru-h11-m4-r0-u0", "qlru-h11-m1-r0-u0-um", "random-x", "random--1", "random-4294967296"})
    CHECK(check_replacement(wrong, 12).find("expected") != std::string::npos);
  CHECK(check_replacement("srrip-", 8).starts_with("unknown replacement 'srrip-', accepted: "));
  CHECK(check_replacement("plru", 8).starts_with("unknown replacement 'plru', accepted: fifo, lru, qlru, "));
}
