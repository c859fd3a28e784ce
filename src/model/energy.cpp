#include "model/energy.hpp"

namespace mansard {
namespace {

template <class Amount>
std::optional<Joules> spent(const std::optional<JoulesPer<Amount>>& cost, std::uint64_t amount) {
  if (amount == 0) return Joules{};
  return cost ? std::optional(*cost * Amount(static_cast<double>(amount))) : std::nullopt;
}

}  // namespace

std::optional<EnergyUse> energy_of(const Machine& machine, const Counters& counters, const Work& work) {
  if (!machine.energy.any()) return std::nullopt;
  EnergyUse use;
  use.flops = spent(machine.energy.flop, work.flops());
  use.total = use.flops;
  for (std::size_t b = 0; b < machine.energy.levels.size(); ++b) {
    const auto here = spent(machine.energy.levels[b], counters.boundary(b).total());
    use.boundaries.push_back(here);
    if (use.total && here) {
      *use.total += *here;
    } else {
      use.total.reset();
    }
  }
  return use;
}

}  // namespace mansard
