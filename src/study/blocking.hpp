// One point of the space in which `tune` searches: as the text of a schedule, and as loops.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workload/kernel.hpp"

namespace mansard {

struct Blocking {
  struct Block {
    std::string loop;
    Int size = 1;
  };
  struct Stage {
    std::string array, at;  ///< a loop that is tiled: the copy is made in each iteration of its tile loop
  };
  std::vector<Block> tiles;          ///< in the order of the tile loops, outermost first
  std::vector<std::string> order;    ///< of the loops within a tile; empty: as written
  std::vector<Stage> stages;         ///< outermost first
  std::vector<std::string> padded;   ///< arrays whose rows are made longer
  std::vector<Block> unrolls;        ///< unrolled and jammed
  std::string across;                ///< SIMD across the copies of this loop; empty: along the innermost loop
  std::vector<std::string> streams;  ///< arrays stored past the caches
};

/// "tile(j: 64); order(k, i, j); unroll_jam(k: 4)"; empty for the program as written.
std::string schedule_text(const Blocking& blocking);

/// The kernel with these loops, for a prediction: without a proof that it computes the same, without copies for
/// `stages`, and with bounds that depend on other loops of the band at their widest. The band has to be at the top of
/// every nest in which one of its loops occurs; else there is no result.
std::optional<Kernel> blocked(const Kernel& plain, const std::vector<std::string>& band, const Blocking& blocking);

}  // namespace mansard
