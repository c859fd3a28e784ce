#include "machine/read_energy.hpp"

#include <array>
#include <string>
#include <utility>

#include "machine/read.hpp"

namespace mansard {
namespace {

/// A number and one of pJ, nJ per `what` ("B", "flop").
Parsed<double> parse_cost(std::string_view text, const std::string& what) {
  const std::string expected = "expected an energy such as 2.5 pJ/" + what + " (pJ, nJ)";
  constexpr std::array<std::pair<std::string_view, double>, 2> units{{{"pJ/", 1e-12}, {"nJ/", 1e-9}}};
  for (const auto& [prefix, joules] : units) {
    const std::string unit = std::string(prefix) + what;
    if (!text.ends_with(unit)) continue;
    text.remove_suffix(unit.size());
    while (text.ends_with(' ')) text.remove_suffix(1);
    const auto number = parse_positive(text);
    if (number.index() == 1) return expected + ", " + std::get<1>(number);
    return std::get<0>(number) * joules;
  }
  return expected;
}

Parsed<double> per_byte(std::string_view text) { return parse_cost(text, "B"); }
Parsed<double> per_flop(std::string_view text) { return parse_cost(text, "flop"); }

}  // namespace

Energy read_energy(const YamlNode* node, const Machine& machine, Diagnostics& wrong) {
  Energy energy;
  energy.levels.resize(machine.caches.size() + 1);
  if (!node) return energy;
  Reader reader(*node, "energy", wrong);
  if (const auto cost = maybe(reader, "flop", per_flop)) energy.flop = JoulesPerFlop{*cost};
  if (const YamlNode* levels = reader.optional("levels")) {
    Reader costs(*levels, "energy.levels", wrong);
    for (std::size_t i = 0; i < energy.levels.size(); ++i) {
      if (const auto cost = maybe(costs, machine.level(i), per_byte)) energy.levels[i] = JoulesPerByte{*cost};
    }
    costs.finish();
  }
  reader.finish();
  return energy;
}

}  // namespace mansard
