// Which set of a cache a line belongs to: line % sets, without a division.
#pragma once

#include <bit>
#include <cstdint>

namespace mansard {

class SetIndex {
 public:
  static constexpr bool moves_along = true;  ///< lines that move by as much stay together

  explicit SetIndex(std::uint64_t sets)
      : sets_(sets), mask_(std::has_single_bit(sets) ? sets - 1 : 0), reciprocal_(~std::uint64_t{0} / sets) {}

  [[nodiscard]] std::uint64_t operator()(std::uint64_t line) const {
    if (mask_ + 1 == sets_) return line & mask_;
    // The quotient by the rounded-down reciprocal is exact or one too small, for every 64-bit line number.
    __extension__ using Wide = unsigned __int128;
    const auto quotient = static_cast<std::uint64_t>((Wide{line} * reciprocal_) >> 64);
    const std::uint64_t rest = line - quotient * sets_;
    return rest < sets_ ? rest : rest - sets_;
  }

 private:
  std::uint64_t sets_, mask_, reciprocal_;
};

}  // namespace mansard
