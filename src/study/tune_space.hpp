// The schedules among which `tune` searches.
#pragma once

#include <string>
#include <vector>

#include "workload/kernel.hpp"

namespace mansard {

/// One choice per axis.
using Point = std::vector<std::size_t>;

class TuneSpace {
 public:
  explicit TuneSpace(const Kernel& kernel);
  [[nodiscard]] std::size_t axes() const { return sizes_.size(); }
  [[nodiscard]] std::size_t choices(std::size_t axis) const { return sizes_[axis]; }
  [[nodiscard]] double size() const;  ///< number of points
  /// The axes in the order in which they are worth trying: streaming stores, the order, tiles from the innermost loop
  /// out, unrolling.
  [[nodiscard]] std::vector<std::size_t> by_promise() const;
  [[nodiscard]] std::string schedule(const Point& point) const;

 private:
  std::vector<std::string> band_;                 ///< loops, outermost first
  std::vector<std::vector<std::string>> orders_;  ///< axis 0, if there are several loops
  std::vector<Int> tiles_, unrolls_;              ///< 0: none; 1: none
  std::vector<std::string> streams_;              ///< arrays that are only written
  std::vector<std::size_t> sizes_;
};

}  // namespace mansard
