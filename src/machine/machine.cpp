#include "machine/machine.hpp"

#include <iterator>

namespace mansard {

std::uint32_t evasion_of(const Evasion& by_cores, std::uint32_t cores) {
  if (by_cores.empty()) return 0;
  const auto above = by_cores.lower_bound(cores);
  if (above == by_cores.end()) return by_cores.rbegin()->second;
  if (above->first == cores || above == by_cores.begin()) return above->second;
  const auto below = std::prev(above);
  const std::uint64_t width = above->first - below->first, right = cores - below->first;
  const std::uint64_t sum = below->second * (width - right) + above->second * right;
  return static_cast<std::uint32_t>((sum + width / 2) / width);
}

std::string Machine::level(std::size_t index) const {
  if (gpu) return index < gpu->caches.size() ? gpu->caches[index].name : gpu->memory.name;
  return index < caches.size() ? caches[index].name : memory.name;
}

std::string Machine::boundary(std::size_t index) const {
  return (index == 0 ? std::string("REG") : level(index - 1)) + "-" + level(index);
}

}  // namespace mansard
