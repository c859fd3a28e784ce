#include "cache/gpu/sectored_cache.hpp"

#include <algorithm>
#include <bit>

namespace mansard {

SectoredCache::SectoredCache(std::uint64_t sets, std::uint32_t ways, std::uint32_t words)
    : sets_(sets), ways_(ways), words_(words), keys_(sets * 4 * ways), written_(sets * ways) {
  for (std::uint64_t set = 0; set < sets; ++set) {
    const auto at = keys_.begin() + static_cast<std::ptrdiff_t>(set * 4 * ways);
    std::fill_n(at, ways, ~0U);
    std::fill_n(at + ways, ways, never);
  }
}

SectoredVictim SectoredCache::take(Place place) {
  std::uint32_t& dirty = keys_[place.key + 3 * ways_];
  const SectoredVictim victim{keys_[place.key], dirty, dirty & ~valid(place)};
  if (dirty != 0) written_[place.line] = 0;  // most lines are never written: theirs stay untouched
  dirty = 0;
  return victim;
}

SectoredCache::Place SectoredCache::insert(std::uint64_t line, SectoredVictim& victim) {
  const std::uint64_t set = set_of(line);
  const std::uint32_t* used = &keys_[set * 4 * ways_ + ways_];
  std::int32_t least = static_cast<std::int32_t>(used[0]);  // signed: what SIMD instructions of any machine compare
  for (std::uint32_t w = 1; w < ways_; ++w) least = std::min(least, static_cast<std::int32_t>(used[w]));
  std::uint32_t way = 0;
  while (used[way] != static_cast<std::uint32_t>(least)) ++way;
  const Place place{set * 4 * ways_ + way, set * ways_ + way};
  victim = take(place);
  keys_[place.key] = static_cast<std::uint32_t>(line);
  keys_[place.key + 2 * ways_] = 0;
  use(place);
  return place;
}

void SectoredCache::write(Place place, std::uint32_t sectors, std::uint64_t words) {
  keys_[place.key + 3 * ways_] |= sectors;
  std::uint64_t& written = written_[place.line];
  const std::uint64_t whole = words_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << words_) - 1;
  for (std::uint32_t rest = sectors; rest != 0; rest &= rest - 1) {
    const auto s = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint64_t of_sector = whole << (s * words_);
    written |= words & of_sector;
    if ((written & of_sector) == of_sector) keys_[place.key + 2 * ways_] |= 1U << s;
  }
}

}  // namespace mansard
