// What a kernel does to its arrays.
#pragma once

#include <map>
#include <set>

#include "workload/kernel.hpp"

namespace mansard {

struct ArrayUses {
  std::set<ArrayId> loaded, stored, indirect;  ///< indirect: through an index array
  std::map<ArrayId, std::set<Slot>> slots;     ///< loops that the subscripts use
  std::set<Slot> contiguous;                   ///< loops along which results are contiguous
};

ArrayUses array_uses(const Kernel& kernel);

}  // namespace mansard
