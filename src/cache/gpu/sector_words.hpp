// Which sectors of a line are complete, once some of its 4-byte words were written.
#pragma once

#include <bit>
#include <cstdint>

namespace mansard {

class SectorWords {
 public:
  /// `words`: of a sector.
  explicit SectorWords(std::uint32_t words)
      : words_(words), of_a_sector_(words == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << words) - 1) {}

  /// Those of some sectors whose words are all there.
  [[nodiscard, gnu::always_inline]] unsigned complete(unsigned sectors, std::uint64_t words) const {
    if (words == ~std::uint64_t{0}) return sectors;
    unsigned complete = 0;
    for (unsigned rest = sectors; rest != 0; rest &= rest - 1) {
      const auto s = static_cast<std::uint32_t>(std::countr_zero(rest));
      if ((words >> (s * words_) & of_a_sector_) == of_a_sector_) complete |= 1U << s;
    }
    return complete;
  }

  /// Sectors that are not valid are written in part. What was written of them before is in `written` as long as they
  /// are `dirty`; returns those that are complete now.
  unsigned add(std::uint64_t& written, unsigned dirty, unsigned sectors, std::uint64_t words) const {
    for (unsigned rest = sectors; rest != 0; rest &= rest - 1) {
      const auto s = static_cast<std::uint32_t>(std::countr_zero(rest));
      const std::uint64_t all = of_a_sector_ << (s * words_);
      if ((dirty >> s & 1U) == 0) written &= ~all;
      written |= words & all;
    }
    return complete(sectors, written);
  }

 private:
  std::uint32_t words_;
  std::uint64_t of_a_sector_;
};

}  // namespace mansard
