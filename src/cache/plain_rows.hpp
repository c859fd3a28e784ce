// What a level's loop needs of its sets (see OrderedSets::Rows), for sets without a faster way.
#pragma once

#include <cstdint>

#include "cache/level.hpp"

namespace mansard {

template <class Sets>
class PlainRows {
 public:
  explicit PlainRows(Sets& sets) : sets_(sets) {}
  void prefetch(std::uint64_t) const {}
  Used use(std::uint64_t line, bool dirty) {
    return sets_.hit(line, true, dirty) ? Used::hit() : sets_.insert(line, dirty);
  }

 private:
  Sets& sets_;
};

}  // namespace mansard
