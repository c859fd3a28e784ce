// What a level's loop needs of its sets (see OrderedSets::Rows), for sets without a faster way.
#pragma once

#include <cstdint>

#include "cache/level.hpp"

namespace mansard {

/// Used, for a loop that it is inlined into: in two registers, nothing to pack and unpack.
struct Touched {
  std::uint64_t entry;  ///< after a miss: of the line that had to go, (line + 1) * 2 + dirty, or 0
  bool hit;
};

template <class Sets>
class PlainRows {
 public:
  explicit PlainRows(Sets& sets) : sets_(sets) {}
  void prefetch(std::uint64_t) const {}
  Touched use(std::uint64_t line, bool dirty) {
    if (sets_.hit(line, true, dirty)) return {0, true};
    return {sets_.insert(line, dirty).entry(), false};
  }

 private:
  Sets& sets_;
};

}  // namespace mansard
