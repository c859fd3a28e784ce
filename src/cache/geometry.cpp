#include "cache/geometry.hpp"

#include <bit>

#include "cache/policy.hpp"
#include "input/diagnostic.hpp"

namespace mansard {
namespace {

// Levels call each other outward, so their number bounds the depth of the stack.
constexpr std::size_t most_levels = 64;
constexpr std::uint64_t most_lines = std::uint64_t{1} << 31;
constexpr std::uint32_t smallest_line = 8, largest_line = 4096;

class Check {
 public:
  explicit Check(const CacheLevel& cache) : cache_(cache) {}
  void require(bool holds, const char* key, std::string message) {
    if (!holds) found.add({cache_.at, "caches." + cache_.name + "." + key, std::move(message), {}});
  }
  Diagnostics found;

 private:
  const CacheLevel& cache_;
};

LevelGeometry level_of(const CacheLevel& cache, bool first, std::uint32_t line) {
  Check check(cache);
  const Policy* policy = find_policy(cache.replacement);
  if (!policy) {
    check.found.add({cache.at, "caches." + cache.name + ".replacement",
                     "unknown replacement '" + cache.replacement + "', accepted: " + join(policy_names()),
                     suggest(cache.replacement, policy_names())});
  }
  check.require(cache.sets > 0, "sets", "a cache has at least one set");
  check.require(cache.ways > 0, "ways", "a cache has at least one way");
  check.require(cache.sets <= most_lines && cache.sets * cache.ways <= most_lines, "size",
                "a cache of more than 2^31 lines cannot be simulated");
  check.require(std::has_single_bit(cache.line) && cache.line >= smallest_line && cache.line <= largest_line, "line",
                "a line is a power of two of 8 B to 4096 B, found " + std::to_string(cache.line) + " B");
  check.require(cache.line == line, "line", "every level has lines of the same size as the first");
  check.require(!first || cache.role != Role::victim, "role", "the first level has no level above that could fill it");
  check.found.throw_if_any();
  return {cache.sets,           cache.ways,          cache.role, cache.write_back, cache.allocate, cache.store_promotes,
          cache.writeback_miss, cache.victim_copies, policy, cache.shared_by};
}

}  // namespace

Geometry geometry_of(const Machine& machine) {
  const std::vector<CacheLevel>& caches = machine.caches;
  if (caches.empty()) throw InputError({machine.id}, "a machine has at least one cache");
  if (caches.size() > most_levels) throw InputError(caches.back().at, "more than 64 cache levels");
  Geometry geometry{.line = caches.front().line, .levels = {}};
  std::uint64_t lines = 0;
  for (const CacheLevel& cache : caches) {
    geometry.levels.push_back(level_of(cache, geometry.levels.empty(), geometry.line));
    lines += cache.sets * cache.ways;
    if (lines > most_lines) throw InputError(cache.at, "the caches have more than 2^31 lines together");
  }
  return geometry;
}

}  // namespace mansard
