// Sets are independent: lines that agree in their number modulo a common divisor of all set counts make up a hierarchy
// of their own. A share is some of these classes.
#pragma once

#include <cstdint>

namespace mansard {

struct Share {
  static constexpr std::uint64_t most_classes = 64;
  std::uint64_t classes = 1;  ///< a power of two, at most 64: line % classes is the class of a line
  std::uint64_t mine = 1;     ///< bit c: class c is in this share

  [[nodiscard]] bool everything() const { return std::popcount(mine) == static_cast<int>(classes); }
  [[nodiscard]] std::uint64_t has(std::uint64_t line) const { return mine >> (line & (classes - 1)) & 1U; }
};

}  // namespace mansard
