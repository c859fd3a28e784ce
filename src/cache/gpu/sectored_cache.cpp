#include "cache/gpu/sectored_cache.hpp"

#include <algorithm>
#include <bit>

namespace mansard {

SectoredCache::SectoredCache(std::uint64_t sets, std::uint32_t ways, std::uint32_t words)
    : sets_(sets),
      ways_(ways),
      words_(words),
      tags_(sets * ways, ~std::uint64_t{0}),
      used_(sets * ways),
      valid_(sets * ways),
      dirty_(sets * ways),
      written_(sets * ways) {}

SectoredVictim SectoredCache::take(std::size_t place) {
  SectoredVictim victim{tags_[place], dirty_[place], dirty_[place] & ~valid_[place]};
  dirty_[place] = 0;
  return victim;
}

std::size_t SectoredCache::insert(std::uint64_t line, SectoredVictim& victim) {
  const auto first = static_cast<std::ptrdiff_t>(set_of(line) * ways_);
  const auto place =
      static_cast<std::size_t>(std::min_element(used_.begin() + first, used_.begin() + first + ways_) - used_.begin());
  victim = take(place);
  tags_[place] = line;
  valid_[place] = 0;
  written_[place] = 0;
  use(place);
  return place;
}

void SectoredCache::write(std::size_t place, std::uint32_t sectors, std::uint64_t words) {
  dirty_[place] |= sectors;
  written_[place] |= words;
  const std::uint64_t whole = words_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << words_) - 1;
  for (std::uint32_t rest = sectors; rest != 0; rest &= rest - 1) {
    const auto s = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint64_t of_sector = whole << (s * words_);
    if ((written_[place] & of_sector) == of_sector) valid_[place] |= 1U << s;
  }
}

}  // namespace mansard
