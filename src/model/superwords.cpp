#include "model/superwords.hpp"

#include <algorithm>
#include <vector>

namespace mansard {

std::set<const StreamRef*> superwords(std::span<const StreamRef> refs, double lanes) {
  std::set<const StreamRef*> wide;
  for (const StreamRef& first : refs) {
    std::vector<const StreamRef*> row{&first};
    for (bool found = true; found && static_cast<double>(row.size()) < lanes;) {
      const auto next = std::find_if(refs.begin(), refs.end(), [&](const StreamRef& ref) {
        if (ref.array != first.array || ref.kind != first.kind || wide.contains(&ref)) return false;
        const Quasi distance = ref.address - row.back()->address;
        return distance.is_constant() && distance.constant == first.bytes;
      });
      found = next != refs.end();
      if (found) row.push_back(&*next);
    }
    if (!wide.contains(&first) && static_cast<double>(row.size()) >= lanes) wide.insert(row.begin(), row.end());
  }
  return wide;
}

}  // namespace mansard
