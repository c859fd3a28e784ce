#include "workload/data/random.hpp"

#include <algorithm>

namespace mansard {

void append_distinct(Random& random, std::int64_t n, std::int64_t count, std::vector<std::int32_t>& list) {
  const auto begin = static_cast<std::ptrdiff_t>(list.size());
  if (2 * count >= n) {  // dense: selection sampling (Knuth, TAOCP 3.4.2, algorithm S)
    for (std::int64_t x = 0; x < n && count > 0; ++x) {
      if (static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n - x))) >= count) continue;
      list.push_back(static_cast<std::int32_t>(x));
      --count;
    }
    return;
  }
  while (static_cast<std::int64_t>(list.size()) - begin < count) {  // sparse: draw, drop what came twice, draw the rest
    const std::int64_t missing = count - (static_cast<std::int64_t>(list.size()) - begin);
    for (std::int64_t i = 0; i < missing; ++i) {
      list.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(n))));
    }
    std::sort(list.begin() + begin, list.end());
    list.erase(std::unique(list.begin() + begin, list.end()), list.end());
  }
}

}  // namespace mansard
