#include "machine/read_mechanisms.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

namespace mansard {
namespace {

constexpr std::uint64_t address_limit = 1ULL << 47;
constexpr std::uint32_t most_streams = 64, most_distance = 64;

Parsed<std::uint64_t> parse_mask(std::string_view text) {
  const char* const wrong = "expected a mask of address bits below 2^47, such as 0x1b40";
  if (!text.starts_with("0x") || text.size() == 2) return wrong;
  std::uint64_t mask = 0;
  constexpr int hexadecimal = 16;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), mask, hexadecimal);
  if (error != std::errc() || end != text.data() + text.size() || mask == 0 || mask >= address_limit) return wrong;
  return mask;
}

/// A fraction in millionths.
Parsed<std::uint32_t> parse_factor(std::string_view text) {
  const auto parsed = parse_number(text);
  const double* value = std::get_if<double>(&parsed);
  if (!value || *value < 0 || *value > 1) return "expected a factor from 0 to 1";
  constexpr double million = 1e6;
  return static_cast<std::uint32_t>(std::lround(*value * million));
}

/// Is `mask` the XOR of some of the others? (Gaussian elimination; `reduced` collects masks with different top bits.)
bool depends(std::uint64_t mask, std::vector<std::uint64_t>& reduced) {
  for (const std::uint64_t other : reduced) mask = std::min(mask, mask ^ other);
  if (mask == 0) return true;
  reduced.push_back(mask);
  return false;
}

Parsed<std::uint64_t> parse_seed(std::string_view text) {
  const auto parsed = parse_integer(text);
  const auto* seed = std::get_if<std::int64_t>(&parsed);
  if (!seed || *seed < 0) return "expected a whole number from 0";
  return static_cast<std::uint64_t>(*seed);
}

}  // namespace

Pages read_pages(const YamlNode* node, Diagnostics& wrong) {
  Pages pages;
  if (!node) return pages;
  if (node->type != YamlNode::Type::map) {
    const auto size = parse_page(node->text);
    if (const auto* message = std::get_if<std::string>(&size)) {
      wrong.add({node->at, "pages", "'" + node->text + "': " + *message, {}});
    } else {
      pages.size = std::get<0>(size);
    }
    return pages;
  }
  Reader reader(*node, "pages", wrong);
  pages.size = reader.need<std::uint64_t>("size", parse_page, 0);
  pages.seed = reader.get<std::uint64_t>("seed", parse_seed, 1);
  reader.finish();
  return pages;
}

void read_hash(Reader& reader, CacheLevel& cache) {
  const YamlNode* list = reader.optional("hash");
  if (!list) return;
  if (list->type != YamlNode::Type::sequence)
    return reader.mistake(list->at, "hash", "expected a list of masks such as [0x1040, 0x2080]");
  std::vector<std::uint64_t> masks, reduced;
  for (const YamlNode& item : list->items) {
    const auto parsed = parse_mask(item.text);
    if (const auto* wrong = std::get_if<std::string>(&parsed)) {
      reader.mistake(item.at, "hash", "'" + item.text + "': " + *wrong);
      return;
    }
    masks.push_back(std::get<0>(parsed));
    if (masks.back() % cache.line != 0)
      reader.mistake(item.at, "hash", "'" + item.text + "' has bits that lie within a line");
    if (depends(masks.back() / cache.line * cache.line, reduced)) {
      reader.mistake(item.at, "hash",
                     "'" + item.text + "' is the XOR of masks before it: half of the sets would stay empty");
    }
  }
  const auto bits = static_cast<std::size_t>(std::countr_zero(cache.sets));
  constexpr std::size_t most_bits = 24;
  if (!std::has_single_bit(cache.sets) || bits > most_bits) {
    reader.mistake(list->at, "hash", "needs a power of two of sets, up to 2^24, found " + std::to_string(cache.sets));
  } else if (masks.size() != bits) {
    reader.mistake(list->at, "hash",
                   "expected " + std::to_string(bits) + " masks for " + std::to_string(cache.sets) + " sets, found " +
                       std::to_string(masks.size()));
  }
  cache.hash = std::move(masks);
}

void read_evasion(Reader& reader, CacheLevel& cache) {
  const YamlNode* node = reader.optional("evasion");
  if (!node) return;
  if (node->type == YamlNode::Type::map) {
    for (const auto& [key, value] : node->pairs) {
      const auto cores = parse_count(key);
      const auto factor = parse_factor(value.text);
      if (const auto* wrong = std::get_if<std::string>(&cores)) {
        reader.mistake(value.key_at, "evasion", "'" + key + "': number of cores, " + *wrong);
      } else if (const auto* error = std::get_if<std::string>(&factor)) {
        reader.mistake(value.at, "evasion", "'" + value.text + "': " + *error);
      } else {
        cache.evasion[std::get<0>(cores)] = std::get<0>(factor);
      }
    }
    if (node->pairs.empty()) reader.mistake(node->at, "evasion", "expected factors by cores such as {1: 0, 8: 0.4}");
  } else {
    cache.evasion[1] = reader.get<std::uint32_t>("evasion", parse_factor, 0);
  }
  if (!cache.write_back || !cache.allocate || cache.role == Role::victim) {
    reader.mistake(node->at, "evasion",
                   "only stores that allocate in a write-back level can do without the fetch: expected write: back, "
                   "allocate: true and no victim level");
  }
}

void read_prefetch(Reader& reader, CacheLevel& cache, Diagnostics& wrong) {
  const YamlNode* node = reader.optional("prefetch");
  if (!node) return;
  Reader prefetch(*node, reader.path("prefetch"), wrong);
  cache.prefetch.adjacent = prefetch.flag("adjacent", false);
  cache.prefetch.streams = prefetch.get("streams", parse_count, 0U);
  cache.prefetch.distance = prefetch.get("distance", parse_count, cache.prefetch.streams > 0 ? 1U : 0U);
  if (cache.prefetch.streams > most_streams)
    prefetch.mistake(node->find("streams")->at, "streams", "expected 1 to 64 streams");
  if (cache.prefetch.distance > most_distance)
    prefetch.mistake(node->find("distance")->at, "distance", "expected 1 to 64 lines");
  if (prefetch.has("distance") && !prefetch.has("streams"))
    prefetch.mistake(node->find("distance")->at, "distance", "makes sense only with streams");
  if (cache.role == Role::victim)
    reader.mistake(node->at, "prefetch", "a victim level is filled by evictions of the level above only");
  prefetch.finish();
}

}  // namespace mansard
