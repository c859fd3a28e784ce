#include "cache/geometry.hpp"

#include <bit>

#include "cache/policy.hpp"
#include "input/diagnostic.hpp"

namespace mansard {
namespace {

// Levels call each other outward, so their number bounds the depth of the stack.
constexpr std::size_t most_levels = 64;
constexpr std::uint64_t most_lines = std::uint64_t{1} << 31;
constexpr std::uint64_t most_mapped_sets = std::uint64_t{1} << 24;
constexpr std::uint32_t most_sectors = 64;
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

LevelGeometry level_of(const CacheLevel& cache, bool first, std::uint32_t line, const Pages& pages,
                       std::uint32_t cores) {
  Check check(cache);
  const std::string wrong = check_replacement(cache.replacement, cache.ways);
  check.require(wrong.empty(), "replacement", wrong);
  check.require(cache.sets > 0, "sets", "a cache has at least one set");
  check.require(cache.ways > 0, "ways", "a cache has at least one way");
  check.require(cache.sets <= most_lines && cache.sets * cache.ways <= most_lines, "size",
                "a cache of more than 2^31 lines cannot be simulated");
  check.require(std::has_single_bit(cache.line) && cache.line >= smallest_line && cache.line <= largest_line, "line",
                "a line is a power of two of 8 B to 4096 B, found " + std::to_string(cache.line) + " B");
  check.require(cache.granule() == line, "line", "every level has lines (or sectors) of the same size as the first");
  check.require(std::has_single_bit(cache.granule()) && cache.granule() <= cache.line &&
                    cache.line / cache.granule() <= most_sectors,
                "sector", "a line has 1 to 64 sectors of a power of two of bytes");
  check.require(!first || cache.role != Role::victim, "role", "the first level has no level above that could fill it");
  check.found.throw_if_any();
  // Within a page physical and virtual addresses are the same: so are the sets of a small cache.
  const bool mapped =
      pages.size > 0 && cache.sets > 0 && (!cache.hash.empty() || pages.size / cache.line % cache.sets != 0);
  check.require(!mapped || cache.sets <= most_mapped_sets, "sets",
                "where pages lie anywhere, a cache has at most 2^24 sets");
  check.found.throw_if_any();
  const auto [policy, parameters] = find_replacement(cache.replacement);
  return {.sets = cache.sets,
          .ways = cache.ways,
          .role = cache.role,
          .write_back = cache.write_back,
          .allocate = cache.allocate,
          .store_promotes = cache.store_promotes,
          .writeback_miss = cache.writeback_miss,
          .victim_copies = cache.victim_copies,
          .policy = policy,
          .parameters = parameters,
          .hash = cache.hash,
          .evasion = evasion_of(cache.evasion, cores),
          .prefetch = cache.prefetch,
          .pages = mapped ? pages : Pages{},
          .sectors = cache.line / cache.granule(),
          .shared_by = cache.shared_by};
}

}  // namespace

Geometry geometry_of(const Machine& machine, std::uint32_t cores) {
  const std::vector<CacheLevel>& caches = machine.caches;
  if (caches.empty()) throw InputError({machine.id}, "a machine has at least one cache");
  if (caches.size() > most_levels) throw InputError(caches.back().at, "more than 64 cache levels");
  Geometry geometry{.line = caches.front().granule(), .levels = {}, .combining = machine.memory.write_combining};
  std::uint64_t lines = 0;
  for (const CacheLevel& cache : caches) {
    geometry.levels.push_back(level_of(cache, geometry.levels.empty(), geometry.line, machine.pages, cores));
    lines += cache.sets * cache.ways;
    if (lines > most_lines) throw InputError(cache.at, "the caches have more than 2^31 lines together");
  }
  return geometry;
}

Geometry tlb_geometry_of(const Machine& machine) {
  Geometry geometry{.line = static_cast<std::uint32_t>(machine.tlb.front().page), .levels = {}};
  for (const TlbLevel& tlb : machine.tlb) {
    const auto [policy, parameters] = find_replacement(tlb.replacement);
    LevelGeometry level{.sets = tlb.entries / tlb.ways, .ways = tlb.ways, .policy = policy};
    level.parameters = parameters;
    geometry.levels.push_back(level);
  }
  return geometry;
}

}  // namespace mansard
