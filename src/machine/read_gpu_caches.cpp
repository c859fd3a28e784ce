// `caches: [{name: L1, size: 128 KiB, ways: 16, line: 128 B, sector: 32 B, scope: sm, …}, …]`, from the SM outward.
#include <algorithm>
#include <array>

#include "machine/read_gpu.hpp"

namespace mansard {
namespace {

constexpr std::size_t most_levels = 4;
constexpr std::uint32_t most_ways = 4096, most_sectors = 8, most_partitions = 64;
constexpr std::uint64_t most_lines = 1ULL << 26U;  // of all caches of the GPU: bounds the memory of a simulation

void read_size(Reader& reader, const YamlNode& node, GpuCache& cache) {
  constexpr std::uint64_t unknown = ~std::uint64_t{0};
  cache.size = reader.need<std::uint64_t>("size", parse_size, unknown);
  cache.ways = reader.need("ways", parse_up_to<most_ways>, 1U);
  cache.line = reader.need("line", parse_line, cache.line);
  cache.sector = reader.get("sector", parse_line, cache.line);
  cache.assumed = reader.flag("assumed", false);
  const std::uint64_t one_set = std::uint64_t{cache.ways} * cache.line;
  const auto too_small = [&](const char* key, std::uint64_t size) {
    if (size < one_set && reader.has(key))
      reader.mistake(node.find(key)->at, key, "less than the " + std::to_string(one_set) + " B of one set");
  };
  too_small("size", cache.size);
  cache.size = cache.size == unknown ? one_set : std::max(cache.size, one_set);
  cache.usable = maybe(reader, "usable", parse_size);
  if (cache.usable) {
    too_small("usable", *cache.usable);
    if (*cache.usable > cache.size) reader.mistake(node.find("usable")->at, "usable", "more than the size");
    cache.usable = std::clamp(*cache.usable, one_set, cache.size);
  }
  if (cache.sector > cache.line) {
    reader.mistake(node.find("sector")->at, "sector", "larger than the line of " + std::to_string(cache.line) + " B");
  } else if (cache.line / cache.sector > most_sectors) {
    reader.mistake(node.find("sector")->at, "sector", "more than 8 in a line of " + std::to_string(cache.line) + " B");
  }
  cache.sector = std::min(cache.sector, cache.line);
}

void read_scope(Reader& reader, const YamlNode& node, bool first, GpuCache& cache) {
  constexpr std::array scopes{CacheScope::sm, CacheScope::die, CacheScope::gpu};
  const std::size_t scope = reader.choice("scope", {"sm", "die", "gpu"}, first ? 0 : 2);
  cache.scope = scopes[scope];
  if (first != (cache.scope == CacheScope::sm)) {
    reader.mistake(node.find("scope")->at, "scope",
                   first ? "the first cache belongs to one SM: expected sm"
                         : "only the first cache belongs to one SM: expected die or gpu");
  }
  cache.memory_side = reader.flag("memory_side", false);
  if (cache.memory_side && cache.scope != CacheScope::gpu)
    reader.mistake(node.find("memory_side")->at, "memory_side", "shared by all dies: expected scope: gpu");
  cache.partitions = reader.get("partitions", parse_up_to<most_partitions>, 1U);
  cache.duplicated = reader.flag("duplicated", false);
  cache.written_first = reader.flag("written_first", false);
  if (cache.duplicated && cache.partitions == 1)
    reader.mistake(node.find("duplicated")->at, "duplicated", "makes sense only with several partitions");
}

GpuCache read_gpu_cache(const YamlNode& node, std::size_t index, Diagnostics& wrong) {
  const YamlNode* named = node.find("name");
  Reader reader(node, "caches." + (named ? named->text : std::to_string(index)), wrong);
  GpuCache cache;
  cache.at = node.at;
  cache.name = reader.need<std::string>("name", parse_name, "L" + std::to_string(index + 1));
  read_size(reader, node, cache);
  read_scope(reader, node, index == 0, cache);
  cache.write_back = reader.choice("write", {"back", "through"}, 0) == 0;
  cache.allocate = reader.flag("allocate", true);
  cache.bandwidth = maybe(reader, "bandwidth", parse_bytes_per_cycle);
  cache.measured = read_mixes(reader.optional("measured"), reader.path("measured"), wrong);
  cache.latency = maybe(reader, "latency", parse_positive);
  cache.far_latency = maybe(reader, "far_latency", parse_positive);
  reader.finish();
  return cache;
}

void check_names(const Gpu& gpu, Diagnostics& wrong) {
  for (std::size_t i = 0; i < gpu.caches.size(); ++i) {
    const GpuCache& cache = gpu.caches[i];
    if (cache.name == "REG") wrong.add(cache.at, "REG is the name of the registers, not of a cache");
    if (cache.name == gpu.memory.name) wrong.add(cache.at, "the cache has the name of the memory, " + cache.name);
    for (std::size_t j = 0; j < i; ++j)
      if (gpu.caches[j].name == cache.name) wrong.add(cache.at, "two caches with the name " + cache.name);
  }
}

/// Neighbours: what one asks for fits into a line of the next, and scopes widen outward.
void check_neighbours(const Gpu& gpu, Diagnostics& wrong) {
  for (std::size_t i = 1; i < gpu.caches.size(); ++i) {
    const GpuCache &inner = gpu.caches[i - 1], &outer = gpu.caches[i];
    if (inner.sector > outer.line)
      wrong.add(outer.at, outer.name + " has lines smaller than what " + inner.name + " fills at once");
    if (outer.scope < inner.scope)
      wrong.add(outer.at, outer.name + " belongs to less of the GPU than " + inner.name + ", which is nearer the SM");
    if (inner.memory_side) wrong.add(outer.at, outer.name + " is behind the memory-side cache " + inner.name);
  }
}

}  // namespace

std::vector<GpuCache> read_gpu_caches(const YamlNode& list, Diagnostics& wrong) {
  std::vector<GpuCache> caches;
  if (list.type != YamlNode::Type::sequence || list.items.empty() || list.items.size() > most_levels) {
    wrong.add({list.at, "caches", "expected a list of 1 to 4 caches, from the SM outward", {}});
    return caches;
  }
  for (std::size_t i = 0; i < list.items.size(); ++i) caches.push_back(read_gpu_cache(list.items[i], i, wrong));
  return caches;
}

void check_gpu(const Gpu& gpu, const Reader& root, Diagnostics& wrong) {
  check_names(gpu, wrong);
  check_neighbours(gpu, wrong);
  if (gpu.sm.count % gpu.dies != 0) {
    wrong.add({root.at("dies"),
               "dies",
               std::to_string(gpu.sm.count) + " SMs cannot be divided among " + std::to_string(gpu.dies) + " dies",
               {}});
  }
  std::uint64_t lines = 0;
  for (const GpuCache& cache : gpu.caches) {
    const std::uint64_t each = std::min(cache.size / cache.line, 2 * most_lines);  // ≤ 2^27, times at most 2^12 SMs
    lines = std::min(lines + each * gpu.instances(cache.scope), 2 * most_lines);
    if (lines > most_lines) {
      wrong.add(cache.at, "the caches up to " + cache.name + " hold more than 2^26 lines, which cannot be simulated");
      return;
    }
  }
  if (gpu.caches.empty() || !gpu.sm.shared.carved_from_l1) return;
  const GpuCache& first = gpu.caches.front();
  if (first.size < gpu.sm.shared.size + std::uint64_t{first.ways} * first.line)
    wrong.add(first.at, "shared memory would leave nothing of " + first.name + " that it is carved from");
}

}  // namespace mansard
