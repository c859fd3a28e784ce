// The small parts that the hierarchy is made of.
#include <map>

#include "cache/line_table.hpp"
#include "cache/owner.hpp"
#include "cache/set_index.hpp"
#include "support/catch.hpp"

using namespace mansard;

namespace {
std::uint64_t random(std::uint64_t& state) {  // the constants of Knuth's MMIX
  state = state * 6364136223846793005U + 1442695040888963407U;
  return state >> 20;
}
}  // namespace

TEST_CASE("the set of a line is the remainder, for any number of sets and any line") {
  const std::uint64_t sets = GENERATE(1U, 2U, 3U, 7U, 64U, 9216U, 20480U, 28160U, 28672U, (1U << 31) - 1, 1U << 31);
  const SetIndex index(sets);
  std::uint64_t state = 1;
  for (int n = 0; n < 1000; ++n) {
    const std::uint64_t line = random(state) * random(state);
    REQUIRE(index(line) == line % sets);
    const std::uint64_t multiple = line / sets * sets;
    REQUIRE(index(multiple) == 0);
    if (multiple > 0) REQUIRE(index(multiple - 1) == sets - 1);
  }
}

TEST_CASE("a line table is a map, through growth and removal") {
  LineTable table;
  std::map<std::uint64_t, LineTable::Id> expected;
  std::uint64_t state = 7;
  for (LineTable::Id n = 0; n < 20'000; ++n) {
    const std::uint64_t line = random(state) % 300;
    const auto found = expected.find(line);
    REQUIRE(table.find(line) == (found == expected.end() ? LineTable::none : found->second));
    if (found == expected.end()) {
      table.insert(line, n);
      expected[line] = n;
    } else {
      table.remove(line);
      expected.erase(found);
    }
  }
}

TEST_CASE("the owner of a line is the last region that starts at or before its last byte") {
  std::vector<Region> regions;
  std::uint64_t state = 3, start = 1000;
  for (int n = 0; n < 50; ++n) regions.push_back({"", start += random(state) % (n % 10 == 0 ? 1'000'000 : 200), 1});
  const Owner owner(regions, 64);
  for (std::uint64_t line = 0; line < start / 64 + 100; ++line) {
    std::size_t last = 0;
    for (std::size_t r = 0; r < regions.size(); ++r) {
      if (regions[r].start <= line * 64 + 63) last = r;
    }
    REQUIRE(owner(line) == last);
  }
  CHECK(owner(std::uint64_t{1} << 57) == 49);
  CHECK(Owner({}, 64)(12345) == 0);
}
