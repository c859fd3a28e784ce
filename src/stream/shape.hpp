// Where a loop repeats itself: stretches of iterations in which the program does the same again, with every address
// moved by the same distance. This is one half of the proof for fast-forwarding; the cache state is the other
// (cache/stage.hpp).
#pragma once

#include <map>
#include <vector>

#include "stream/program.hpp"

namespace mansard {

/// Iterations [from, to): whenever `period` more are done, all addresses have moved by `lines` cache lines.
/// period 0: nothing is known.
struct Stretch {
  std::uint64_t from, to;
  std::uint64_t period;
  Int lines;
};

/// Finds them. A loop repeats itself if nothing below it is gathered or decided by data, all its references move alike,
/// and no bound or condition below it changes otherwise than by moving along; where a minimum, maximum or condition
/// flips, the loop is cut.
class ShapeFinder {
 public:
  explicit ShapeFinder(std::uint32_t line_bytes) : line_bytes_(line_bytes) {}

  /// Of a loop entered with iteration values first, first + step, …; `environment` holds the slots of the loops around.
  /// The stretches cover [0, count).
  std::vector<Stretch> stretches(const StreamLoop& loop, Int first, std::uint64_t count,
                                 std::span<const Int> environment);

 private:
  struct Known {
    bool regular;   ///< nothing gathered or decided by data
    bool choices;   ///< bounds or conditions that may flip: look at every entry
    Stretch whole;  ///< without choices: the answer, from and to aside
  };
  const Known& known(const StreamLoop& loop);

  Int line_bytes_;
  std::map<const StreamLoop*, Known> known_;
};

}  // namespace mansard
