#include "schedule/permutable.hpp"

#include <algorithm>
#include <map>

#include "schedule/scheduling.hpp"

namespace mansard {

bool permutable(const Kernel& kernel, const std::vector<std::string>& loops) {
  AffineNests nests = affine_nests(kernel);
  Dependences dependences(kernel, nests);
  for (Branch& root : nests.roots) {
    if (root.kind == Branch::Kind::opaque) return false;
    std::vector<std::map<std::size_t, Quasi>> values;
    for (const std::string& name : loops) {
      const std::vector<Branch*> found = loops_named(root, nests, name);
      if (found.empty()) continue;
      if (found.size() > 1) return false;
      values.push_back(found.front()->value);
    }
    const std::vector<std::size_t> units = units_below(root);
    const auto complete = [&](const auto& value) { return value.size() == units.size(); };
    if (!std::ranges::all_of(values, complete)) return false;
    if (!values.empty() && !dependences.never_backwards(units, values, root.at)) return false;
  }
  return true;
}

}  // namespace mansard
