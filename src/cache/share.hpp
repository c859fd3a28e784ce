// Sets are independent: lines that agree in their number modulo a common divisor of all set counts make up a hierarchy
// of their own. A share is some of these classes.
#pragma once

#include <bit>
#include <cstdint>

namespace mansard {

struct Share {
  static constexpr std::uint64_t most_classes = 64;
  std::uint64_t classes = 1;  ///< a power of two, at most 64: line % classes is the class of a line
  std::uint64_t mine = 1;     ///< bit c: class c is in this share
  bool apart = false;         ///< count the traffic of each of its classes, too

  [[nodiscard]] bool everything() const { return mine == ~std::uint64_t{0} >> (most_classes - classes); }
  [[nodiscard]] std::uint64_t has(std::uint64_t line) const { return mine >> (line & (classes - 1)) & 1U; }
  /// Bit c, of 64: lines c modulo 64 are in this share.
  [[nodiscard]] std::uint64_t of_64() const {
    std::uint64_t all = mine;
    for (std::uint64_t c = classes; c < most_classes; c *= 2) all |= all << c;
    return all;
  }
  /// Classes that are counted apart, or 1.
  [[nodiscard]] std::size_t groups() const { return apart ? static_cast<std::size_t>(std::popcount(mine)) : 1; }
  /// Which of them a line of this share belongs to.
  [[nodiscard]] std::size_t group(std::uint64_t line) const {
    if (!apart) return 0;
    const std::uint64_t below = (std::uint64_t{1} << (line & (classes - 1))) - 1;
    return static_cast<std::size_t>(std::popcount(mine & below));
  }
};

}  // namespace mansard
