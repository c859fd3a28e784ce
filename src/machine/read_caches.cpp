#include <algorithm>
#include <array>

#include "machine/read.hpp"
#include "machine/read_geometry.hpp"
#include "machine/read_mechanisms.hpp"

namespace mansard {
namespace {

constexpr std::size_t most_levels = 8;
constexpr std::uint64_t most_lines = 1ULL << 31;  // of all levels: bounds the memory of a simulation (8 bytes a line)

Link read_link(const YamlNode& node, std::string path, Diagnostics& wrong) {
  Reader reader(node, std::move(path), wrong);
  Link link;
  link.load = maybe(reader, "load", parse_bytes_per_cycle);
  link.evict = maybe(reader, "evict", parse_bytes_per_cycle);
  link.duplex = reader.choice("duplex", {"half", "full"}, 0) == 0 ? Duplex::half : Duplex::full;
  reader.finish();
  return link;
}

void read_replacement(Reader& reader, const MachineVocabulary& vocabulary, CacheLevel& cache) {
  const YamlNode* node = reader.optional("replacement");
  if (!node) return;
  cache.replacement = reader.text("replacement", cache.replacement);
  if (node->type != YamlNode::Type::scalar) return;
  const std::string wrong = vocabulary.check_replacement(cache.replacement, cache.ways);
  if (!wrong.empty()) {
    reader.mistake(node->at, "replacement", wrong, suggest(cache.replacement, vocabulary.policies));
  }
}

void read_role(Reader& reader, const YamlNode& node, bool first, CacheLevel& cache) {
  static const std::vector<std::string> words{"nine", "inclusive", "victim", "exclusive"};
  const std::size_t role = reader.choice("role", words, 0);
  cache.role = role == 0 ? Role::nine : role == 1 ? Role::inclusive : Role::victim;
  cache.victim_copies = reader.flag("victim_copies", false);
  if (first && role != 0) {
    reader.mistake(node.find("role")->at, "role",
                   "the first level has no level above it that it could be " + words[role] + " of: expected nine");
  }
  if (cache.victim_copies && words[role] != "victim")
    reader.mistake(node.find("victim_copies")->at, "victim_copies", "makes sense only with role: victim");
}

void read_stores(Reader& reader, const YamlNode& node, CacheLevel& cache) {
  cache.write_back = reader.choice("write", {"back", "through"}, 0) == 0;
  cache.allocate = reader.flag("allocate", true);
  cache.store_promotes = reader.flag("store_promotes", true);
  constexpr std::array on_miss{WritebackMiss::allocate, WritebackMiss::fetch, WritebackMiss::forward};
  cache.writeback_miss = on_miss[reader.choice("writeback_miss", {"allocate", "fetch", "forward"}, 0)];
  if (!cache.write_back && cache.role == Role::victim)
    reader.mistake(node.find("write")->at, "write", "a victim level holds dirty lines: expected back");
}

CacheLevel read_cache(const YamlNode& node, std::size_t index, std::uint32_t cores, const MachineVocabulary& vocabulary,
                      Diagnostics& wrong) {
  const YamlNode* named = node.find("name");
  Reader reader(node, "caches." + (named ? named->text : std::to_string(index)), wrong);
  CacheLevel cache;
  cache.at = node.at;
  cache.name = reader.need<std::string>("name", parse_name, "L" + std::to_string(index + 1));
  read_geometry(reader, node.at, cache);
  cache.assumed = reader.flag("assumed", false);
  read_replacement(reader, vocabulary, cache);
  read_role(reader, node, index == 0, cache);
  read_stores(reader, node, cache);
  read_hash(reader, cache);
  read_evasion(reader, cache);
  read_prefetch(reader, cache, wrong);
  cache.shared_by = reader.get("shared_by", parse_count, 1U);
  if (cache.shared_by > cores) {
    reader.mistake(node.find("shared_by")->at, "shared_by",
                   "shared by more cores than the " + std::to_string(cores) + " of the socket");
  }
  if (const YamlNode* link = reader.optional("link")) {
    cache.link = read_link(*link, reader.path("link"), wrong);
    if (index == 0)
      reader.mistake(link->key_at, "link", "the path between the core and the first level is core.per_cycle");
  }
  reader.finish();
  return cache;
}

void check_together(const std::vector<CacheLevel>& caches, Diagnostics& wrong) {
  std::uint64_t lines = 0;
  for (std::size_t i = 0; i < caches.size(); ++i) {
    const CacheLevel& cache = caches[i];
    if (cache.name == "REG") wrong.add(cache.at, "REG is the name of the registers, not of a cache");
    for (std::size_t j = 0; j < i; ++j)
      if (caches[j].name == cache.name) wrong.add(cache.at, "two caches with the name " + cache.name);
    if (cache.granule() != caches[0].granule()) {
      const auto moves = [](const CacheLevel& c) {
        return c.name + " has " + (c.sector > 0 ? "sectors" : "lines") + " of " + std::to_string(c.granule()) + " B";
      };
      wrong.add(cache.at, moves(cache) + " and " + moves(caches[0]) + ": all levels must have the same");
    }
    lines = std::min(lines, most_lines) + std::min(cache.size / cache.line, 2 * most_lines);
    if (lines > most_lines) {
      wrong.add(cache.at, "the caches up to " + cache.name + " hold more than 2^31 lines, which cannot be simulated");
      return;
    }
  }
}

}  // namespace

std::vector<CacheLevel> read_caches(const YamlNode& list, std::uint32_t cores, const MachineVocabulary& vocabulary,
                                    Diagnostics& wrong) {
  std::vector<CacheLevel> caches;
  if (list.type != YamlNode::Type::sequence || list.items.empty() || list.items.size() > most_levels) {
    wrong.add({list.at, "caches", "expected a list of 1 to 8 caches, from the core outward", {}});
    return caches;
  }
  for (std::size_t i = 0; i < list.items.size(); ++i)
    caches.push_back(read_cache(list.items[i], i, cores, vocabulary, wrong));
  check_together(caches, wrong);
  return caches;
}

}  // namespace mansard
