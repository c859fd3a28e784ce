#include <vector>

#include "stream/gpu/coalesce.hpp"
#include "support/catch.hpp"

using namespace mansard;

namespace {

std::vector<Int> strided(Int first, Int stride, int lanes = 32) {
  std::vector<Int> offsets;
  for (int l = 0; l < lanes; ++l) offsets.push_back(first + l * stride);
  return offsets;
}

}  // namespace

TEST_CASE("neighbouring floats fill their sectors") {
  const Coalesced c = coalesce(strided(0, 4), 4, {});
  REQUIRE(c.lines.size() == 1);
  CHECK(c.lines[0].sectors == 0xf);
  CHECK(c.lines[0].words == 0xffffffffU);
  CHECK(c.sectors == 4);
  CHECK(c.distinct_bytes == 128);
  CHECK(c.cycles == 1);  // 32 words in 32 lanes, 16 of 8 B in 16 banks, (1 + 2)/4 of a cycle for tags
}

TEST_CASE("one element off the line, a fifth sector") {
  const Coalesced c = coalesce(strided(4, 4), 4, {});
  CHECK(c.lines.size() == 2);
  CHECK(c.sectors == 5);
  CHECK(c.cycles == 2);  // 17 words of 8 B: two in one bank
}

TEST_CASE("far apart, every lane has a sector for itself") {
  const Coalesced c = coalesce(strided(0, 256 * 1024), 4, {});
  CHECK(c.lines.size() == 32);
  CHECK(c.sectors == 32);
  CHECK(static_cast<double>(c.distinct_bytes) / (c.sectors * 32.0) == 0.125);
  CHECK(c.cycles == 32);  // all words in one bank: more than the (32 + 2)/4 cycles for tags
}

TEST_CASE("the same element for all lanes is one sector") {
  const Coalesced c = coalesce(strided(40, 0), 8, {});
  CHECK(c.sectors == 1);
  CHECK(c.distinct_bytes == 8);
  CHECK(c.lanes == 32);
}

TEST_CASE("stores of less than a word write none as a whole") {
  const Coalesced c = coalesce(strided(0, 2), 2, {});
  CHECK(c.lines[0].sectors == 0x3);
  CHECK(c.lines[0].words == 0);
}

TEST_CASE("a column of a square tile in shared memory: 32 passes, none too many with padding") {
  const Coalesced column = shared_access(strided(0, 32 * 4), 4, {});
  CHECK(column.conflicts == 32);
  CHECK(column.least == 1);
  CHECK(shared_access(strided(0, 33 * 4), 4, {}).conflicts == 1);
  CHECK(shared_access(strided(0, 4), 4, {}).conflicts == 1);
  CHECK(shared_access(strided(0, 0), 4, {}).conflicts == 1);  // broadcast
}

TEST_CASE("doubles in shared memory take two passes, which is what they need") {
  const Coalesced c = shared_access(strided(0, 8), 8, {});
  CHECK(c.conflicts == 2);
  CHECK(c.least == 2);
}
