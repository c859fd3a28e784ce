#include "report/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "units/print.hpp"

namespace mansard {
namespace {

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

const char* role_of(const CacheLevel& cache) {
  switch (cache.role) {
    case Role::nine:
      return "NINE";
    case Role::inclusive:
      return "inclusive";
    case Role::victim:
      return cache.victim_copies ? "victim (a hit copies)" : "victim";
  }
  return "";
}

}  // namespace

std::string describe(const CacheLevel& cache, std::uint32_t cores) {
  std::string text = fmt::format("{} sets × {} ways × {} B = {}{}, {}, {}, {}, {}", cache.sets, cache.ways, cache.line,
                                 print_size(cache.size), cache.assumed ? " (assumed)" : "", upper(cache.replacement),
                                 cache.write_back ? "write-back" : "write-through",
                                 cache.allocate ? "write-allocate" : "no-write-allocate", role_of(cache));
  if (!cache.store_promotes) text += ", stores do not promote";
  if (cache.writeback_miss == WritebackMiss::fetch) text += ", a write-back that misses fetches";
  if (cache.writeback_miss == WritebackMiss::forward) text += ", a write-back that misses is forwarded";
  if (cache.sector > 0) text += fmt::format(", sectors of {} B", cache.sector);
  if (!cache.hash.empty()) text += ", hashed sets";
  constexpr double million = 1e6;
  if (const std::uint32_t evasion = evasion_of(cache.evasion, cores); evasion > 0)
    text += fmt::format(", write-allocate evasion of {}", print_number(evasion / million));
  if (cache.prefetch.adjacent) text += ", prefetches the adjacent line";
  if (cache.prefetch.streams > 0)
    text += fmt::format(", prefetches {} streams {} lines ahead", cache.prefetch.streams, cache.prefetch.distance);
  return text + (cache.shared_by > 1 ? fmt::format(", shared by {}", cache.shared_by) : ", private");
}

std::string print_rate(double updates_per_second) {
  constexpr double giga = 1e9, mega = 1e6, nearly = 0.9995;  // what rounds to 1000 M is 1 G
  return updates_per_second < nearly * giga ? fmt::format("{:.3g} M updates/s", updates_per_second / mega)
                                            : fmt::format("{:.3g} G updates/s", updates_per_second / giga);
}

}  // namespace mansard
