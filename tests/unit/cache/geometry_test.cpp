#include "cache/geometry.hpp"

#include "support/catch.hpp"

using namespace mansard;

namespace {
Machine machine_with(std::initializer_list<std::pair<std::uint64_t, std::uint32_t>> sets_and_ways) {
  Machine machine;
  for (const auto& [sets, ways] : sets_and_ways) {
    CacheLevel cache;
    cache.name = "L" + std::to_string(machine.caches.size() + 1);
    cache.sets = sets;
    cache.ways = ways;
    machine.caches.push_back(cache);
  }
  return machine;
}
std::string complaint(const Machine& machine) {
  try {
    geometry_of(machine);
  } catch (const InputError& error) {
    return to_string(error.diagnostics().front());
  }
  return "none";
}
bool refused(const Machine& machine, const std::string& because) {
  const std::string found = complaint(machine);
  CAPTURE(found, because);
  return found.find(because) != std::string::npos;
}
}  // namespace

TEST_CASE("a machine's caches become the geometry") {
  Machine machine = machine_with({{64, 8}, {1024, 16}, {28160, 11}});
  machine.caches[2].role = Role::victim;
  machine.caches[1].write_back = false;
  const Geometry geometry = geometry_of(machine);
  REQUIRE(geometry.levels.size() == 3);
  CHECK(geometry.line == 64);
  CHECK(geometry.levels[2].sets == 28160);
  CHECK(geometry.levels[2].ways == 11);
  CHECK(geometry.levels[2].role == Role::victim);
  CHECK_FALSE(geometry.levels[1].write_back);
  CHECK(geometry.levels[0].policy != nullptr);
}

TEST_CASE("pages matter to the sets of caches that are larger than a page a way") {
  Machine machine = machine_with({{64, 8}, {1024, 16}, {28160, 11}});
  machine.pages = {4096, 3};
  Geometry geometry = geometry_of(machine);
  CHECK(geometry.levels[0].pages.size == 0);
  CHECK(geometry.levels[1].pages.size == 4096);
  CHECK(geometry.levels[1].pages.seed == 3);
  machine.pages.size = 2U << 20U;
  geometry = geometry_of(machine);
  CHECK(geometry.levels[1].pages.size == 0);
  CHECK(geometry.levels[2].pages.size == 2U << 20U);
  machine.caches[2].sets = std::uint64_t{1} << 25;
  CHECK(refused(machine, "at most 2^24 sets"));
}

TEST_CASE("what cannot be simulated is refused") {
  CHECK(refused(machine_with({{0, 8}}), "at least one set"));
  CHECK(refused(machine_with({{64, 0}}), "at least one way"));
  CHECK(refused(machine_with({{std::uint64_t{1} << 40, 16}}), "2^31 lines"));
  CHECK(refused(machine_with({{std::uint64_t{1} << 30, 2}, {64, 8}}), "2^31 lines together"));
  CHECK(refused(Machine{}, "at least one cache"));

  Machine machine = machine_with({{64, 8}, {1024, 16}});
  machine.caches[1].replacement = "lur";
  CHECK(refused(machine, "unknown replacement 'lur', accepted: "));
  machine.caches[1].replacement = "lru";
  machine.caches[1].line = 128;
  CHECK(refused(machine, "same size"));
  machine.caches[1].line = 64;
  machine.caches[0].role = Role::victim;
  CHECK(refused(machine, "no level above"));
}
