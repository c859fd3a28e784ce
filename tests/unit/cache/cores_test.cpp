// What cores do to each other's copies, small enough to follow by hand; what is shown for one hierarchy holds for both.
#include "cache/cores/cores.hpp"

#include "input/diagnostic.hpp"
#include "support/catch.hpp"
#include "unit/cache/both.hpp"

using namespace mansard;
using namespace mansard::test;

namespace {

LevelGeometry shared(LevelGeometry level, std::uint32_t cores, Role role = Role::nine) {
  level.shared_by = cores;
  level.role = role;
  return level;
}

/// Private first caches of 4 lines; accesses are named by line, of 64 B.
class Cores {
 public:
  Cores(std::vector<LevelGeometry> outer, std::uint32_t cores, const LevelGeometry& first = lru(1, 4))
      : geometry_{64, {first}} {
    geometry_.levels.insert(geometry_.levels.end(), outer.begin(), outer.end());
    fast_ = make_cores(geometry_, regions_, cores);
    naive_ = make_naive_cores(geometry_, regions_, cores);
  }
  void access(std::uint32_t core, std::uint64_t address, Kind kind, std::uint8_t bytes = 8) {
    const Element e{address, 0, bytes, kind};
    fast_->consume(core, std::span(&e, 1));
    naive_->consume(core, std::span(&e, 1));
  }
  void load(std::uint32_t core, std::uint64_t line) { access(core, line * 64, Kind::load); }
  void store(std::uint32_t core, std::uint64_t line) { access(core, line * 64, Kind::store); }
  const Counters& counters() const {
    REQUIRE(fast_->counters() == naive_->counters());
    return fast_->counters();
  }
  const SharingCount& sharing() const {
    REQUIRE(fast_->sharing() == naive_->sharing());
    return fast_->sharing().front();
  }
  std::uint64_t dirty_lines() const {
    REQUIRE(fast_->dirty_lines() == naive_->dirty_lines());
    return fast_->dirty_lines();
  }

 private:
  Geometry geometry_;
  std::vector<Region> regions_{{"a", 0, 1 << 20}};
  std::unique_ptr<CoresHierarchy> fast_, naive_;
};

}  // namespace

TEST_CASE("cores share what they only read; each fetches its own copy from the shared cache") {
  Cores cores({shared(lru(1, 8), 2)}, 2);
  cores.load(0, 1);
  cores.load(1, 1);
  cores.load(0, 1);
  CHECK(cores.counters().levels[0].load_hits == 1);
  CHECK(cores.counters().levels[1].load_hits == 1);
  CHECK(cores.counters().boundary(1).demand_fills == 128);
  CHECK(cores.counters().boundary(2).demand_fills == 64);
  CHECK(cores.sharing() == SharingCount{});
}

TEST_CASE("a store takes the line out of the other cores' caches") {
  Cores cores({shared(lru(1, 8), 2)}, 2);
  cores.load(0, 1);
  cores.store(1, 1);
  CHECK(cores.sharing().invalidations == 1);
  CHECK(cores.counters().boundary(1).write_back == 0);  // the copy was clean
  cores.load(0, 1);                                     // gone, and dirty there: written down first, kept clean
  CHECK(cores.counters().levels[0].load_misses == 2);
  CHECK(cores.sharing().dirty_transfers == 1);
  CHECK(cores.counters().boundary(1).write_back == 64);
  CHECK(cores.counters().boundary(2).write_back == 0);  // the shared cache has it now
  CHECK(cores.dirty_lines() == 1);
  cores.load(1, 1);
  CHECK(cores.counters().levels[0].load_hits == 1);
}

TEST_CASE("a store to a line that another core has dirty: the data go down, the copy goes away") {
  Cores cores({shared(lru(1, 8), 2)}, 2);
  cores.store(0, 1);
  cores.store(1, 1);
  CHECK(cores.sharing().invalidations == 1);
  CHECK(cores.counters().boundary(1).write_back == 64);
  CHECK(cores.counters().boundary(1).write_allocate == 128);
  CHECK(cores.counters().boundary(2).write_allocate == 64);
  CHECK(cores.counters().levels[1].store_hits == 1);
}

TEST_CASE("a store that hits must ask, too: both cores had read the line") {
  Cores cores({shared(lru(1, 8), 2)}, 2);
  cores.load(0, 1);
  cores.load(1, 1);
  cores.store(0, 1);
  cores.store(0, 1);
  CHECK(cores.counters().levels[0].store_hits == 2);
  CHECK(cores.sharing().invalidations == 1);
  cores.load(1, 1);
  CHECK(cores.counters().levels[0].load_misses == 3);
}

TEST_CASE("without a shared cache dirty data meet at memory") {
  Cores cores({lru(1, 8)}, 2);  // two private levels
  cores.store(0, 1);
  cores.load(1, 1);
  CHECK(cores.counters().boundary(1).write_back == 64);
  CHECK(cores.counters().boundary(2).write_back == 64);
  CHECK(cores.counters().boundary(2).demand_fills == 64);
  CHECK(cores.dirty_lines() == 0);
}

TEST_CASE("an inclusive shared cache takes what it evicts from every core") {
  Cores cores({shared(lru(1, 4), 2, Role::inclusive)}, 2);
  cores.load(0, 1);
  cores.load(1, 1);
  for (std::uint64_t line = 2; line < 6; ++line) cores.load(1, line);  // evicts line 1
  cores.load(0, 1);
  CHECK(cores.counters().levels[0].load_hits == 0);
  CHECK(cores.counters().levels[0].load_misses == 7);
}

TEST_CASE("two domains: a store empties the other domain's shared cache") {
  Cores cores({shared(lru(1, 8), 2)}, 4);
  cores.load(0, 1);
  cores.load(2, 1);
  CHECK(cores.counters().boundary(2).demand_fills == 128);  // a copy in each domain
  cores.store(2, 1);
  CHECK(cores.sharing().invalidations == 1);
  cores.load(1, 1);  // not in its domain any more; dirty in the other one
  CHECK(cores.sharing().dirty_transfers == 1);
  CHECK(cores.counters().boundary(2).write_back == 64);
  CHECK(cores.counters().boundary(2).demand_fills == 192);
}

TEST_CASE("false sharing is told from true sharing once a line is watched") {
  Cores cores({shared(lru(1, 8), 2)}, 2);
  for (int n = 0; n < 3; ++n) {
    cores.access(0, 64, Kind::store);
    cores.access(1, 72, Kind::store);  // the neighbour
  }
  // Five times a core takes the line from the other; at the first nothing is known yet.
  CHECK(cores.sharing().invalidations == 5);
  CHECK(cores.sharing().false_sharing == 4);
  CHECK(cores.sharing().true_sharing == 0);
  cores.access(0, 72, Kind::store);
  CHECK(cores.sharing().true_sharing == 1);
}

TEST_CASE("lines of their own: nothing is taken") {
  Cores cores({shared(lru(1, 8), 2)}, 2);
  for (int n = 0; n < 3; ++n) {
    cores.access(0, 64, Kind::store);
    cores.access(1, 128, Kind::store);
  }
  CHECK(cores.sharing() == SharingCount{});
}

TEST_CASE("a non-temporal store takes the line out of every cache") {
  Cores cores({shared(lru(1, 8), 2)}, 2);
  cores.store(0, 1);
  cores.access(1, 64, Kind::nontemporal);
  CHECK(cores.sharing().invalidations == 1);
  CHECK(cores.counters().boundary(2).nontemporal == 64);  // merged with the dirty copy: a whole line
  cores.load(0, 1);
  CHECK(cores.counters().boundary(2).demand_fills == 64);
}

TEST_CASE("caches have to nest, and to fit together") {
  Geometry geometry{64, {shared(lru(1, 1), 2), shared(lru(1, 1), 3)}};
  CHECK_THROWS_AS(check_caches(geometry, 4), InputError);
  geometry.levels[1].shared_by = 4;
  CHECK_NOTHROW(check_caches(geometry, 4));
  geometry.levels[0].sets = std::uint64_t{1} << 30;  // two of them
  CHECK_NOTHROW(check_caches(geometry, 2));
  CHECK_THROWS_AS(check_caches(geometry, 4), InputError);
}

TEST_CASE("a line that is taken out while it comes in is not there") {
  LevelGeometry first = lru(1, 4);
  first.evasion = 1'000'000;  // stores fetch nothing, so that the inclusive level does not know of their lines
  Cores cores({shared(lru(1, 1), 2, Role::inclusive)}, 2, first);
  for (std::uint64_t line = 0; line < 4; ++line) cores.store(0, line);
  cores.load(0, 9);  // line 0 has to go, is put in at the next level in place of 9, which is taken out above
  cores.load(0, 9);
  CHECK(cores.counters().levels[0].load_misses == 2);
}
