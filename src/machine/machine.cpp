#include "machine/machine.hpp"

namespace mansard {

std::string Machine::level(std::size_t index) const { return index < caches.size() ? caches[index].name : memory.name; }

std::string Machine::boundary(std::size_t index) const {
  return (index == 0 ? std::string("REG") : caches[index - 1].name) + "-" + level(index);
}

}  // namespace mansard
