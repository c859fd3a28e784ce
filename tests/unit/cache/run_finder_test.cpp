// Loops found in accesses that come one by one.
#include "cache/run_finder.hpp"

#include "support/catch.hpp"

using namespace mansard;

namespace {

using Elements = std::vector<Element>;

struct Piece {
  std::size_t refs;  // 0: elements of no run
  std::uint64_t count;
  friend bool operator==(const Piece&, const Piece&) = default;
};

/// What the elements are cut into. Runs must have the accesses that they were found in.
std::vector<Piece> pieces(RunFinder& finder, const Elements& elements) {
  std::vector<Piece> found;
  Elements all;
  finder.split(
      elements,
      [&](const Run& run) {
        found.push_back({run.refs.size(), run.count});
        for (std::uint64_t n = 0; n < run.count; ++n) {
          for (std::size_t r = 0; r < run.refs.size(); ++r) {
            const Int address = run.base[r] + static_cast<Int>(n) * run.stride[r];
            all.push_back(
                {static_cast<std::uint64_t>(address), run.refs[r].array, run.refs[r].bytes, run.refs[r].kind});
          }
        }
      },
      [&](std::span<const Element> between) {
        found.push_back({0, between.size()});
        all.insert(all.end(), between.begin(), between.end());
      });
  REQUIRE(all == elements);
  return found;
}

/// b[i] = a[i-1] + a[i+1], i = from … to - 1; a at 0, b at 8000
void row(Elements& elements, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t i = from; i < to; ++i) {
    elements.push_back({8 * (i - 1), 0, 8, Kind::load});
    elements.push_back({8 * (i + 1), 0, 8, Kind::load});
    elements.push_back({8000 + 8 * i, 1, 8, Kind::store});
  }
}

}  // namespace

TEST_CASE("a loop is found in its accesses") {
  RunFinder finder;
  Elements elements;
  row(elements, 1, 101);
  CHECK(pieces(finder, elements) == std::vector<Piece>{{3, 100}});
  elements.resize(elements.size() - 1);  // the last iteration is not whole
  CHECK(pieces(finder, elements) == std::vector<Piece>{{3, 99}, {0, 2}});
}

TEST_CASE("fewer than eight iterations, or 64 accesses, are not worth a run") {
  RunFinder finder;
  Elements elements;
  row(elements, 1, 22);
  CHECK(pieces(finder, elements) == std::vector<Piece>{{0, 63}});
  elements.clear();
  for (std::uint64_t n = 0; n < 7; ++n) {  // 12 accesses an iteration
    for (std::uint64_t at = 0; at < 12; ++at) elements.push_back({8 * (1000 * at * at + n), 0, 8, Kind::load});
  }
  CHECK(pieces(finder, elements) == std::vector<Piece>{{0, 84}});
}

TEST_CASE("a loop ends where an address, a size, an array or a kind leaves its order") {
  RunFinder finder;
  Elements elements;
  row(elements, 1, 101);
  Element& odd = elements[3 * 50 + 1];  // the second access of the 51st iteration
  SECTION("an address") { odd.address += 8; }
  SECTION("a size") { odd.bytes = 4; }
  SECTION("an array") { odd.array = 1; }
  SECTION("a kind") { odd.kind = Kind::store; }
  // Found again after the search has paused, which it does for 4, 8, … elements; it may start anywhere in an iteration.
  const std::vector<Piece> found = pieces(finder, elements);
  REQUIRE(found.size() >= 3);
  CHECK(found[0] == Piece{3, 50});
  CHECK(found[1].refs == 0);
  CHECK(found[1].count <= 4 + 8);
  CHECK(found[2].refs == 3);
}

TEST_CASE("where there are no loops, the search pauses") {
  RunFinder finder;
  Elements elements;
  std::uint64_t state = 1;
  for (int n = 0; n < 100'000; ++n) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    elements.push_back({(state >> 40U) * 8, 0, 8, Kind::load});
  }
  CHECK(pieces(finder, elements) == std::vector<Piece>{{0, 100'000}});
  Elements loop;
  row(loop, 1, 2001);  // 6000 elements; the pause that is left is of 4096 at most
  const std::vector<Piece> found = pieces(finder, loop);
  CHECK(std::ranges::any_of(found, [](const Piece& piece) { return piece.refs == 3 && piece.count > 600; }));
}
