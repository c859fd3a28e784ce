#include "machine_text.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::test;

namespace {
/// "size = sets x ways x line" of L2.
std::string l2(const std::vector<std::string>& overrides) {
  const CacheLevel cache = machine_with(overrides).caches.at(1);
  return std::to_string(cache.size) + " = " + std::to_string(cache.sets) + " x " + std::to_string(cache.ways) + " x " +
         std::to_string(cache.line);
}
}  // namespace

TEST_CASE("two of size, sets and ways give the third") {
  const Machine machine = machine_with({});
  CHECK(machine.caches[0].sets == 8);     // 1024 / (2 * 64)
  CHECK(machine.caches[1].size == 8192);  // 32 * 4 * 64
  CHECK(l2({"caches.L2={name: L2, size: 27.5 MiB, sets: 40960}"}) == "28835840 = 40960 x 11 x 64");
  CHECK(l2({"caches.L2={name: L2, size: 8 KiB, sets: 32, ways: 4}"}) == "8192 = 32 x 4 x 64");
}

TEST_CASE("a what-if on one of the three: ways stay and sets follow") {
  CHECK(l2({"caches.L2.size=16KiB"}) == "16384 = 64 x 4 x 64");
  CHECK(l2({"caches.L2.ways=8"}) == "16384 = 32 x 8 x 64");  // the file gives sets and ways
  CHECK(l2({"caches.L2.size=16KiB", "caches.L2.ways=8"}) == "16384 = 32 x 8 x 64");
  CHECK(l2({"caches.L2.sets=1"}) == "256 = 1 x 4 x 64");
  CHECK(machine_with({"caches.L1.ways=1"}).caches[0].sets == 16);  // the file gives size and ways
  CHECK(machine_with({"caches.L1.sets=4"}).caches[0].size == 512);
}

TEST_CASE("any number of sets and ways within the limits") {
  CHECK(l2({"caches.L2={name: L2, sets: 28160, ways: 16}"}) == "28835840 = 28160 x 16 x 64");
  CHECK(l2({"caches.L2={name: L2, sets: 1, ways: 1048576}"}) == "67108864 = 1 x 1048576 x 64");
  CHECK(l2({"caches.L2={name: L2, sets: 1431655765, ways: 1}"}) == "91625968960 = 1431655765 x 1 x 64");
}

TEST_CASE("geometries that are refused") {
  const auto l2_is = [](const std::string& keys) { return mistakes({"caches.L2={name: L2, " + keys + "}"}); };
  CHECK(l2_is("size: 1 KiB") == "caches.L2.size: two of size, sets and ways are needed");
  CHECK(l2_is("size: 1000 B, ways: 4") == "caches.L2.size: the size of 1000 B is not a multiple of 4 ways x 64 B");
  CHECK(l2_is("size: 1 KiB, ways: 0") == "caches.L2.ways: '0': expected a whole number from 1 to 1048576");
  CHECK(l2_is("size: 1 KiB, sets: 0") == "caches.L2.sets: '0': expected a whole number from 1 to 4294967296");
  CHECK(l2_is("size: 1 KiB, sets: -1") == "caches.L2.sets: '-1': expected a whole number from 1 to 4294967296");
  CHECK(l2_is("size: 1 KiB, ways: 1048577") == "caches.L2.ways: '1048577': expected a whole number from 1 to 1048576");
  CHECK(l2_is("size: 0 B, ways: 4") == "caches.L2.size: '0 B': expected a size above zero");
  CHECK(l2_is("size: 32, ways: 4") == "caches.L2.size: '32': missing unit: expected a size such as 32 KiB");
  CHECK(l2_is("size: 9999999999 TiB, ways: 4") ==
        "caches.L2.size: '9999999999 TiB': size out of range: it must be below 2^63 bytes");
  CHECK(l2_is("size: 8388607 TiB, ways: 1").find("caches.L2.size: gives 144115170895986688 sets, more than") == 0);
  CHECK(l2_is("sets: 4294967296, ways: 1048576").find("more than 2^31 lines") != std::string::npos);
  CHECK(l2_is("sets: 2147483648, ways: 1").find("more than 2^31 lines") != std::string::npos);  // with the L1
  CHECK(l2_is("sets: 4, ways: 4, line: 96 B") == "caches.L2.line: '96 B': expected a power of two from 16 B to 4096 B");
  CHECK(l2_is("sets: 4, ways: 4, line: 8 B") == "caches.L2.line: '8 B': expected a power of two from 16 B to 4096 B");
  CHECK(l2_is("sets: 4, ways: 4, line: 128 B") ==
        "L2 has lines of 128 B and L1 has lines of 64 B: all levels must have the same");
}

TEST_CASE("size, sets and ways of a file must agree") {
  const std::string text =
      "name: x\nclock: 1 GHz\ncores: 1\ncore: {simd: 8 B}\nmemory: {}\n"
      "caches:\n  - {name: L1, size: 1 KiB, sets: 4, ways: 2}\n";
  CHECK(mistakes({}, text) == "caches.L1.size: size and ways give 8 sets, but sets says 4");
  CHECK(mistakes({"caches.L1.size=2 KiB"}, text) == "accepted");
}
