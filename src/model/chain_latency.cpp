#include "model/chain_latency.hpp"

#include <array>
#include <utility>

namespace mansard {

Cycles latency_of(const Core& core, const char* operation, std::vector<std::string>& missing) {
  if (const auto known = core.latency.find(operation); known != core.latency.end()) return Cycles(known->second);
  missing.push_back(std::string("core.latency.") + operation);
  return {};
}

Cycles latency_of(const Core& core, const FlopCount& path, std::vector<std::string>& missing) {
  const std::array<std::pair<const char*, std::uint32_t>, 6> steps{{{"add", path.add},
                                                                    {"mul", path.mul},
                                                                    {"fma", path.fma},
                                                                    {"div", path.div},
                                                                    {"sqrt", path.sqrt},
                                                                    {"call", path.call}}};
  Cycles sum;
  for (const auto& [name, count] : steps) {
    if (count > 0) sum += latency_of(core, name, missing) * static_cast<double>(count);
  }
  return sum;
}

}  // namespace mansard
