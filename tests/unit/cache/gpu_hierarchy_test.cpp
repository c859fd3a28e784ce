#include "cache/gpu/gpu_hierarchy.hpp"

#include <array>

#include "cache/gpu/naive_gpu.hpp"
#include "support/catch.hpp"
#include "units/mix.hpp"

using namespace mansard;

namespace {

const std::vector<Region> regions{{"a", 0, 4096, false}, {"b", 4096, 4096, false}};

/// Two units with an L1 of two lines each, and an L2 of four, each one set.
GpuGeometry small(std::uint32_t fetch = 64) {
  GpuGeometry g;
  g.units = 2;
  g.levels = {{256, 2, 128, 32, 2, false, 1}, {512, 4, 128, 32, 1, false, 1}};
  g.fetch = fetch;
  return g;
}

constexpr std::uint64_t whole = ~std::uint64_t{0};

/// The definition, and beside it the fast hierarchy, which has to count the same.
class Both {
 public:
  Both(const GpuGeometry& geometry, const std::vector<Region>& arrays)
      : naive_(geometry, arrays), fast_(std::span(&geometry, 1), arrays) {}
  /// Returns how many sectors the first level lacked.
  std::uint64_t load(std::uint32_t unit, std::uint16_t array, const GpuLineAccess& access) {
    const std::uint64_t before = naive_.counters().levels[0].load_misses;
    naive_.load(unit, array, access);
    fast_.load(unit, array, access);
    return naive_.counters().levels[0].load_misses - before;
  }
  void store(std::uint32_t unit, std::uint16_t array, const GpuLineAccess& access, bool streaming) {
    naive_.store(unit, array, access, streaming);
    fast_.store(unit, array, access, streaming);
  }
  void drain() {
    naive_.drain();
    fast_.drain();
  }
  const Counters& counters() {
    CHECK(fast_.counters() == naive_.counters());
    CHECK(fast_.between_partitions() == naive_.between_partitions());
    return naive_.counters();
  }
  std::uint64_t between_partitions() {
    counters();
    return naive_.between_partitions();
  }

 private:
  NaiveGpuHierarchy naive_;
  GpuHierarchy fast_;
};

}  // namespace

TEST_CASE("a missing sector comes from memory in pairs, and goes up alone") {
  Both h(small(), regions);
  CHECK(h.load(0, 0, {0, 0x1, 0}) == 1);
  CHECK(h.counters().flows[1][0].demand_fills == 32);
  CHECK(h.counters().flows[2][0].demand_fills == 64);
  CHECK(h.load(0, 0, {0, 0x2, 0}) == 1);  // the other half is in the L2
  CHECK(h.counters().flows[2][0].demand_fills == 64);
  CHECK(h.load(0, 0, {0, 0x3, 0}) == 0);
  CHECK(h.counters().levels[0].load_hits == 2);
}

TEST_CASE("each unit has an L1 of its own") {
  Both h(small(), regions);
  h.load(0, 0, {0, 0xf, 0});
  CHECK(h.load(1, 0, {0, 0xf, 0}) == 4);
  CHECK(h.counters().flows[1][0].demand_fills == 256);
  CHECK(h.counters().flows[2][0].demand_fills == 128);
}

TEST_CASE("stores go through the L1 and are written back by the L2, unread where they are whole") {
  Both h(small(), regions);
  h.store(0, 1, {32, 0xf, whole}, false);
  CHECK(h.counters().flows[1][1].write_through == 128);
  CHECK(h.counters().flows[2][1].total() == 0);
  h.drain();
  CHECK(h.counters().flows[2][1].write_back == 128);
  CHECK(h.counters().flows[2][1].in() == 0);
}

TEST_CASE("a sector that leaves written in part is read and merged; two halves make a whole") {
  Both h(small(), regions);
  h.store(0, 1, {32, 0x1, 0x0f}, false);
  h.store(1, 1, {33, 0x1, 0x0f}, false);
  h.store(1, 1, {33, 0x1, 0xf0}, false);
  h.drain();
  CHECK(h.counters().flows[2][1].write_back == 64);
  CHECK(h.counters().flows[2][1].write_allocate == 32);
}

TEST_CASE("streaming stores leave first") {
  Both h(small(), regions);
  for (std::uint64_t line = 0; line < 3; ++line) h.load(0, 0, {line, 0xf, 0});
  h.store(0, 1, {32, 0xf, whole}, true);
  h.load(0, 0, {3, 0xf, 0});  // takes the place of line 32, though that was used last
  CHECK(h.counters().flows[2][1].write_back == 128);
  CHECK(h.load(1, 0, {0, 0xf, 0}) == 4);
  CHECK(h.counters().flows[2][0].demand_fills == 4 * 128);
}

TEST_CASE("partitions keep copies of what they read, and memory is asked once") {
  GpuGeometry g = small();
  g.units = 4;
  g.levels[0].instances = 4;
  g.levels[1].bytes = 4096;
  g.levels[1].ways = 16;
  g.levels[1].partitions = 2;
  Both h(g, regions);
  for (std::uint32_t unit = 0; unit < 4; ++unit) h.load(unit, 0, {5, 0xf, 0});
  CHECK(h.counters().flows[2][0].demand_fills == 128);
  CHECK(h.between_partitions() == 128);  // the partition that is not the line's home has fetched it once
}

TEST_CASE("a second level with longer lines: AMD") {
  GpuGeometry g;
  g.units = 1;
  g.levels = {{128, 2, 64, 64, 1, false, 1}, {1024, 8, 128, 128, 1, false, 1}};
  g.fetch = 64;
  Both h(g, regions);
  h.load(0, 0, {0, 0x1, 0});
  CHECK(h.counters().flows[1][0].demand_fills == 64);
  CHECK(h.counters().flows[2][0].demand_fills == 128);
  h.load(0, 0, {1, 0x1, 0});
  CHECK(h.counters().flows[2][0].demand_fills == 128);
}

TEST_CASE("lines that leave early leave in the order in which they were written") {
  GpuGeometry g = small();
  g.levels[1].written_first = true;
  Both h(g, regions);
  h.load(0, 0, {0, 0xf, 0});
  for (std::uint64_t line = 32; line < 38; ++line) h.store(0, 1, {line, 0xf, whole}, false);
  CHECK(h.counters().flows[2][1].write_back == 3 * 128);  // 32, 33 and 34: three stay beside line 0, however long ago
  h.store(0, 1, {32, 0xf, whole}, false);                 // it was used
  CHECK(h.counters().levels[1].store_misses == 7 * 4);
  CHECK(h.load(1, 0, {0, 0xf, 0}) == 4);
  CHECK(h.counters().flows[2][0].demand_fills == 128);
}

TEST_CASE("an array that is only written goes to memory whole in every sweep") {
  GpuGeometry g = small();
  g.levels[1].written_first = true;
  Both h(g, regions);
  for (int sweep = 0; sweep < 3; ++sweep) {
    for (std::uint64_t line = 32; line < 48; ++line) h.store(0, 1, {line, 0xf, whole}, false);
  }
  CHECK(h.counters().flows[2][1].write_back == (3 * 16 - 4) * 128);  // four are still in the L2
  CHECK(h.counters().flows[2][1].in() == 0);
}

TEST_CASE("what a cache loses to conflicts stays where all its lines are one set") {
  GpuGeometry g;
  g.units = 1;
  g.levels = {{512, 1, 128, 32, 1, false, 1}};  // four sets of one line
  const auto set = [](std::uint64_t line) { return (mix(line) >> 32U) * 4 >> 32U; };
  std::uint64_t rival = 1;
  while (set(rival) != set(0)) ++rival;
  const auto in_turn = [&](const GpuGeometry& geometry) {
    Both h(geometry, regions);
    for (int n = 0; n < 10; ++n) {
      h.load(0, 0, {0, 0xf, 0});
      h.load(0, 0, {rival, 0xf, 0});
    }
    return h.counters().flows[1][0].demand_fills;
  };
  CHECK(in_turn(g) == 20 * 128);
  g.levels[0].associative = true;
  CHECK(in_turn(g) == 2 * 128);
}

TEST_CASE("streaming stores do not push each other out while there is room") {
  Both h(small(), regions);
  for (std::uint64_t line = 32; line < 36; ++line) h.store(0, 1, {line, 0xf, whole}, true);
  CHECK(h.counters().flows[2][1].total() == 0);
}

TEST_CASE("hierarchies that differ behind the first level are simulated at once") {
  GpuGeometry larger = small();
  larger.levels[1].bytes = 1024;
  larger.levels[1].ways = 8;
  const std::array geometries{small(), larger};
  GpuHierarchy h(geometries, regions);
  for (int sweep = 0; sweep < 2; ++sweep) {
    for (std::uint64_t line = 0; line < 6; ++line) h.load(0, 0, {line, 0xf, 0});
  }
  CHECK(h.counters(0).flows[1] == h.counters(1).flows[1]);
  CHECK(h.counters(0).boundary(2).in() == 2 * 6 * 128);
  CHECK(h.counters(1).boundary(2).in() == 6 * 128);
}
