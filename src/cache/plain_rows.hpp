// What a level's loop needs of its sets (see OrderedSets::Rows), for sets without a faster way.
#pragma once

#include <cstdint>

#include "cache/level.hpp"

namespace mansard {

/// What is known of the events of a batch; the result does not depend on it.
enum class Pattern : std::uint8_t {
  affine,   ///< hits can be foreseen, and few are of the line used last in its set
  regular,  ///< nearly all hit, many of them the line used last in its set, or nearly all miss
  random,   ///< hits cannot be foreseen
};

/// Used, for a loop that it is inlined into: in two registers, nothing to pack and unpack.
struct Touched {
  std::uint64_t entry;  ///< after a miss: of the line that had to go, (line + 1) * 2 + dirty, or 0
  bool hit;
  bool latest =
      false;  ///< a hit that changed nothing: the line was used last, and a Pattern was given that looks there
};

template <class Sets>
class PlainRows {
 public:
  explicit PlainRows(Sets& sets) : sets_(sets) {}
  void prefetch(std::uint64_t) const {}
  static bool use_latest(std::uint64_t, bool) { return false; }
  Touched use(std::uint64_t line, bool dirty) {
    if (sets_.hit(line, true, dirty)) return {0, true};
    return {sets_.insert(line, dirty).entry(), false};
  }

 private:
  Sets& sets_;
};

}  // namespace mansard
