// The schedules among which `tune` searches.
#pragma once

#include <string>
#include <vector>

#include "study/blocking.hpp"
#include "workload/kernel.hpp"

namespace mansard {

/// One choice per axis.
using Point = std::vector<std::size_t>;

/// What the axes offer.
struct TuneLists {
  std::vector<Int> tiles{0, 8, 16, 32, 64, 128, 256, 512};  ///< 0: not tiled
  std::vector<Int> unrolls{1, 2, 4, 6, 8, 16};
  bool reorder = true, pack = true;  ///< pack: padded rows, and packed copies
};

class TuneSpace {
 public:
  TuneSpace(const Kernel& kernel, std::uint32_t simd_bytes, TuneLists lists = {});
  [[nodiscard]] std::size_t axes() const { return axes_.size(); }
  [[nodiscard]] std::size_t choices(std::size_t axis) const { return axes_[axis].choices; }
  [[nodiscard]] double size() const;  ///< number of points; several can be one schedule
  [[nodiscard]] const std::vector<std::string>& band() const { return band_; }

  /// Axes about which layer conditions say something, in the order in which they are worth trying: streaming stores,
  /// the order of the tile loops, tiles from the innermost loop out, unrolling. Not the order of the loops: what is
  /// good for one is not for another. Then the axes that only a simulation can judge.
  [[nodiscard]] std::vector<std::size_t> foreseeable() const;
  [[nodiscard]] std::vector<std::size_t> unforeseeable() const;
  [[nodiscard]] std::size_t orders() const { return orders_.size(); }
  /// As written, but the loops in the n-th order, and the tile loops; `unrolled`: and blocked for registers, with a
  /// SIMD register of results along a loop in which they are contiguous.
  [[nodiscard]] Point start(std::size_t order, bool unrolled) const;

  [[nodiscard]] Blocking blocking(const Point& point) const;
  /// Points of one form differ in sizes and factors alone: if one is legal, the others are.
  [[nodiscard]] std::string form(const Point& point) const;

 private:
  enum class Kind : std::uint8_t { order, tile_order, tile, unroll, across, stage, pad, stream };
  struct Axis {
    Kind kind;
    std::size_t choices;
    std::string name;  ///< the loop or the array
  };
  void add(Kind kind, std::size_t choices, const std::string& name = "");
  [[nodiscard]] std::size_t choice(const Point& point, Kind kind, const std::string& name = "") const;
  [[nodiscard]] Blocking sized(const Point& point) const;

  std::vector<std::string> band_;                 ///< loops, outermost first
  std::vector<Int> trips_;                        ///< of each, at most
  std::vector<std::vector<std::string>> orders_;  ///< that of the program first
  std::vector<std::string> contiguous_;           ///< loops along which results are contiguous
  std::vector<std::string> padded_;
  TuneLists lists_;
  Int lanes_ = 1;
  std::vector<Axis> axes_;
};

}  // namespace mansard
