// The keys of read_mechanisms.hpp: hash, evasion, prefetch, pages. And the role `exclusive`.
#include "machine_text.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::test;

TEST_CASE("hash: one mask of address bits for each bit of the set's number") {
  const Machine machine = machine_with({"caches.L2.sets=4", "caches.L2.hash=[0x140, 0x80]"});
  CHECK(machine.caches[1].hash == std::vector<std::uint64_t>{0x140, 0x80});
  const auto wrong = [](const std::string& list) { return mistakes({"caches.L2.sets=4", "caches.L2.hash=" + list}); };
  CHECK(wrong("[0x140]") == "caches.L2.hash: expected 2 masks for 4 sets, found 1");
  CHECK(wrong("[0x140, 0x140]") ==
        "caches.L2.hash: '0x140' is the XOR of masks before it: half of the sets would stay empty");
  CHECK(wrong("[0x140, 0x20]") ==
        "caches.L2.hash: '0x20' has bits that lie within a line\n"
        "caches.L2.hash: '0x20' is the XOR of masks before it: half of the sets would stay empty");
  CHECK(wrong("[0x140, 64]") == "caches.L2.hash: '64': expected a mask of address bits below 2^47, such as 0x1b40");
  CHECK(wrong("0x140") == "caches.L2.hash: expected a list of masks such as [0x1040, 0x2080]");
  CHECK(mistakes({"caches.L2.sets=3", "caches.L2.hash=[0x140]"}) ==
        "caches.L2.hash: needs a power of two of sets, up to 2^24, found 3");
}

TEST_CASE("evasion: a factor, or one by number of cores in use, linear between") {
  CHECK(machine_with({"caches.L1.evasion=0.25"}).caches[0].evasion == Evasion{{1, 250'000}});
  const Evasion by_cores = machine_with({"caches.L1.evasion={1: 0.0, 8: 0.42, 18: 1.0}"}).caches[0].evasion;
  CHECK(evasion_of(by_cores, 1) == 0);
  CHECK(evasion_of(by_cores, 2) == 60'000);
  CHECK(evasion_of(by_cores, 8) == 420'000);
  CHECK(evasion_of(by_cores, 13) == 710'000);
  CHECK(evasion_of(by_cores, 18) == 1'000'000);
  CHECK(evasion_of(by_cores, 36) == 1'000'000);
  CHECK(evasion_of({{4, 100'000}}, 1) == 100'000);
  CHECK(evasion_of({}, 5) == 0);

  CHECK(mistakes({"caches.L1.evasion=1.5"}) == "caches.L1.evasion: '1.5': expected a factor from 0 to 1");
  CHECK(mistakes({"caches.L1.evasion={0: 0.5, 2: x}"}) ==
        "caches.L1.evasion: '0': number of cores, expected a whole number from 1 to 1048576\n"
        "caches.L1.evasion: 'x': expected a factor from 0 to 1");
  CHECK(
      mistakes({"caches.L1.evasion=1", "caches.L1.write=through"}).starts_with("caches.L1.evasion: only stores that"));
}

TEST_CASE("prefetch: the adjacent line, streams") {
  const CacheLevel l2 = machine_with({"caches.L2.prefetch={adjacent: true, streams: 16, distance: 4}"}).caches[1];
  CHECK(l2.prefetch.adjacent);
  CHECK(l2.prefetch.streams == 16);
  CHECK(l2.prefetch.distance == 4);
  CHECK(machine_with({"caches.L2.prefetch.streams=2"}).caches[1].prefetch.distance == 1);
  CHECK_FALSE(machine_with({}).caches[1].prefetch.any());
  CHECK(mistakes({"caches.L2.prefetch={streams: 65, distance: 65}"}) ==
        "caches.L2.prefetch.streams: expected 1 to 64 streams\n"
        "caches.L2.prefetch.distance: expected 1 to 64 lines");
  CHECK(mistakes({"caches.L2.prefetch={distance: 2}"}) == "caches.L2.prefetch.distance: makes sense only with streams");
  CHECK(mistakes({"caches.L2.prefetch.adjacent=true", "caches.L2.role=victim"}) ==
        "caches.L2.prefetch: a victim level is filled by evictions of the level above only");
}

TEST_CASE("pages: contiguous, or of a size and anywhere") {
  CHECK(machine_with({}).pages.size == 0);
  CHECK(machine_with({"pages=contiguous"}).pages.size == 0);
  CHECK(machine_with({"pages=2 MiB"}).pages.size == 2U << 20U);
  CHECK(machine_with({"pages={size: 4 KiB, seed: 7}"}).pages.seed == 7);
  CHECK(machine_with({"pages={size: contiguous}"}).pages.size == 0);
  CHECK(mistakes({"pages=5000 B"}) == "pages: '5000 B': expected contiguous or a power of two from 4 KiB to 1 GiB");
  CHECK(mistakes({"pages={size: 4 KiB, seed: -1}"}) == "pages.seed: '-1': expected a whole number from 0");
  CHECK(mistakes({"pages=[1]"}).starts_with("pages: '': expected contiguous or"));
}

TEST_CASE("tlb: levels of entries, of the machine's pages unless they say so") {
  const auto tlb =
      machine_with({"tlb=[{name: DTLB, entries: 64, ways: 4}, {name: STLB, entries: 1536, ways: 12}]"}).tlb;
  REQUIRE(tlb.size() == 2);
  CHECK(tlb[0].name == "DTLB");
  CHECK(tlb[1].entries == 1536);
  CHECK(tlb[1].ways == 12);
  CHECK(tlb[1].page == 4096);
  CHECK(machine_with({"tlb=[{name: T, entries: 48}]"}).tlb[0].ways == 48);  // fully associative
  CHECK(machine_with({"tlb=[{name: T, entries: 48}]", "pages=2 MiB"}).tlb[0].page == 2U << 20U);
  CHECK(machine_with({"tlb=[{name: T, entries: 48, page: 1 GiB}]"}).tlb[0].page == 1U << 30U);

  CHECK(mistakes({"tlb=[]"}) == "tlb: expected a list of 1 to 4 levels, from the core outward");
  CHECK(mistakes({"tlb=[{name: T, entries: 48, ways: 5, page: 3 KiB}]"}) ==
        "tlb.T.ways: 48 entries are not a multiple of 5 ways\n"
        "tlb.T.page: '3 KiB': expected contiguous or a power of two from 4 KiB to 1 GiB");
  CHECK(mistakes({"tlb=[{name: T, entries: 4, page: contiguous}, {name: T, entries: 4}]"}) ==
        "tlb.T.page: expected the size of a page such as 4 KiB\n"
        "T has pages of another size than T\n"
        "two levels with the name T");
}

TEST_CASE("sector: the same at all levels, or their lines") {
  const Machine machine =
      machine_with({"caches.L1.sector=32 B", "caches.L2={name: L2, sets: 32, ways: 4, line: 32 B}"});
  CHECK(machine.caches[0].sector == 32);
  CHECK(machine.caches[0].granule() == 32);
  CHECK(machine.caches[1].granule() == 32);
  CHECK(mistakes({"caches.L1.sector=32 B"}) ==
        "L2 has lines of 64 B and L1 has sectors of 32 B: all levels must have the same");
  CHECK(mistakes({"caches.L1.sector=128 B", "caches.L2.sector=64 B"})
            .starts_with("caches.L1.sector: expected from a 64th of the line of 64 B to all of it"));
  CHECK(mistakes({"caches.L1.sector=48 B"}).starts_with("caches.L1.sector: '48 B': expected a power of two"));
}

TEST_CASE("exclusive is a victim level whose hits move the line") {
  const CacheLevel l2 = machine_with({"caches.L2.role=exclusive"}).caches[1];
  CHECK(l2.role == Role::victim);
  CHECK_FALSE(l2.victim_copies);
  CHECK(mistakes({"caches.L2.role=exclusive", "caches.L2.victim_copies=true"}) ==
        "caches.L2.victim_copies: makes sense only with role: victim");
}
