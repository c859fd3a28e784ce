#include "machine/read_geometry.hpp"

#include <bit>

#include "units/print.hpp"

namespace mansard {
namespace {

constexpr std::uint64_t most_sets = 1ULL << 32, most_ways = 1ULL << 20;
constexpr std::uint64_t shortest_line = 16, longest_line = 4096, most_sectors = 64;

Parsed<std::uint64_t> parse_cache_size(std::string_view text) {
  auto parsed = parse_size(text);
  const auto* size = std::get_if<std::uint64_t>(&parsed);
  if (size && *size == 0) return "expected a size above zero";
  return parsed;
}

Parsed<std::uint64_t> parse_sets(std::string_view text) {
  const auto parsed = parse_integer(text);
  if (const auto* wrong = std::get_if<std::string>(&parsed)) return *wrong;
  const auto value = static_cast<std::uint64_t>(std::get<std::int64_t>(parsed));  // negative: above the limit
  if (value < 1 || value > most_sets) return "expected a whole number from 1 to " + std::to_string(most_sets);
  return value;
}

Parsed<std::uint64_t> parse_line(std::string_view text) {
  auto parsed = parse_size(text);
  const auto* line = std::get_if<std::uint64_t>(&parsed);
  if (line && (!std::has_single_bit(*line) || *line < shortest_line || *line > longest_line))
    return "expected a power of two from 16 B to 4096 B";
  return parsed;
}

/// Values of --set have no line in a file.
bool overridden(Reader& reader, std::string_view key) {
  const YamlNode* node = reader.optional(key);
  return node && node->at.line == 0;
}

/// What is known of a level; 0 is not given.
struct Known {
  std::uint64_t size = 0, sets = 0, ways = 0;
};

void forget_what_set_replaces(Reader& reader, Known& known) {
  if (known.size == 0 || known.sets == 0 || known.ways == 0) return;
  const bool size = overridden(reader, "size"), sets = overridden(reader, "sets"), ways = overridden(reader, "ways");
  if (!size && !sets && !ways) return;
  if (!sets) {
    known.sets = 0;
  } else if (!size) {
    known.size = 0;
  } else if (!ways) {
    known.ways = 0;
  }
}

/// How many `wanted` a cache has that is divided into `given` times `unit`; one sentence if that does not come out.
Parsed<std::uint64_t> divide(std::uint64_t size, std::uint64_t line, std::uint64_t given, const std::string& unit,
                             const std::string& wanted, std::uint64_t most) {
  const std::uint64_t step = given * line;  // at most 2^32 * 2^12
  if (size % step != 0) {
    return "the size of " + print_size(size) + " is not a multiple of " + std::to_string(given) + " " + unit + " x " +
           print_size(line);
  }
  const std::uint64_t count = size / step;
  if (count > most) return "gives " + std::to_string(count) + " " + wanted + ", more than " + std::to_string(most);
  return count;
}

/// Completes `known`; a sentence if that is impossible.
std::string complete(Known& known, std::uint64_t line) {
  constexpr std::uint64_t largest = (1ULL << 63) - 1;
  if ((known.size != 0) + (known.sets != 0) + (known.ways != 0) < 2) return "two of size, sets and ways are needed";
  if (known.size == 0) {
    if (known.sets * known.ways > largest / line) return "sets x ways x line is 2^63 bytes or more";
    known.size = known.sets * known.ways * line;
    return {};
  }
  const bool by_ways = known.ways != 0;
  const auto count = by_ways ? divide(known.size, line, known.ways, "ways", "sets", most_sets)
                             : divide(known.size, line, known.sets, "sets", "ways", most_ways);
  if (const auto* wrong = std::get_if<std::string>(&count)) return *wrong;
  std::uint64_t& derived = by_ways ? known.sets : known.ways;
  if (derived != 0 && derived != std::get<std::uint64_t>(count)) {
    return "size and ways give " + std::to_string(std::get<std::uint64_t>(count)) + " sets, but sets says " +
           std::to_string(derived);
  }
  derived = std::get<std::uint64_t>(count);
  return {};
}

}  // namespace

void read_geometry(Reader& reader, const Position& at, CacheLevel& cache) {
  Known known;
  known.size = reader.get<std::uint64_t>("size", parse_cache_size, 0);
  known.sets = reader.get<std::uint64_t>("sets", parse_sets, 0);
  known.ways = reader.get<std::uint32_t>("ways", parse_count, 0);
  cache.line = static_cast<std::uint32_t>(reader.get<std::uint64_t>("line", parse_line, cache.line));
  cache.sector = static_cast<std::uint32_t>(reader.get<std::uint64_t>("sector", parse_line, 0));
  if (cache.sector > 0 && (cache.sector > cache.line || cache.line / cache.sector > most_sectors)) {
    reader.mistake(reader.optional("sector")->at, "sector",
                   "expected from a 64th of the line of " + print_size(cache.line) + " to all of it");
    cache.sector = 0;
  }
  cache.size = cache.line;
  cache.sets = cache.ways = 1;
  const auto wrong_by_itself = [&](std::string_view key, std::uint64_t value) { return reader.has(key) && value == 0; };
  if (wrong_by_itself("size", known.size) || wrong_by_itself("sets", known.sets) || wrong_by_itself("ways", known.ways))
    return;

  forget_what_set_replaces(reader, known);
  const std::string wrong = complete(known, cache.line);
  if (!wrong.empty()) {
    const YamlNode* size = reader.optional("size");
    return reader.mistake(size ? size->at : at, "size", wrong);
  }
  cache.size = known.size;
  cache.sets = known.sets;
  cache.ways = static_cast<std::uint32_t>(known.ways);
}

}  // namespace mansard
