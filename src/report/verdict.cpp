#include "report/verdict.hpp"

#include <fmt/format.h>

#include "units/print.hpp"

namespace mansard {
namespace {

std::string binding(const PartSummary& total, const std::string& memory) {
  const std::string bound = total.bound_by();
  if (bound.empty()) return "what binds is unknown";
  if (bound == memory) return "memory-bound";
  if (bound == "compute" && total.ecm && total.ecm->unit.core_bound == "chain") return "bound by its dependency chain";
  if (bound == "compute" && total.ecm && !total.ecm->unit.core_bound.empty()) {
    return fmt::format("compute-bound ({})", total.ecm->unit.core_bound);
  }
  return bound + "-bound";
}

std::string speed(const PartSummary& total) {
  const auto millions = [](double rate) { return fmt::format("{} M updates/s", print_number(rate / 1e6)); };
  const std::optional<double>& roof = total.roofline.updates_per_second;
  if (total.ecm && total.ecm->updates_per_second) {
    const double rate = *total.ecm->updates_per_second;
    std::string text = millions(rate) + " (ECM)";
    if (roof) text += fmt::format(", {:.0f} % of the {} roof", 100 * rate / *roof, total.roofline.bound_by);
    return text;
  }
  if (!roof) return "speed unknown";
  std::string text = millions(*roof);
  const auto& performance = total.roofline.performance;
  if (performance && total.work.flops() > 0) text += " = " + print(*performance);
  return text + fmt::format(" at the {} roof", total.roofline.bound_by);
}

}  // namespace

std::string verdict_of(const Summary& summary) {
  const PartSummary& total = summary.total;
  std::string parameters;
  constexpr std::size_t most = 3;  // more of them would push the verdict out of its line
  for (const auto& [name, value] : summary.workload.parameters) {
    if (summary.workload.parameters.size() > most) break;
    parameters += fmt::format("{}{}={}", parameters.empty() ? " (" : ", ", name, value);
  }
  if (!parameters.empty()) parameters += ")";
  std::string text = fmt::format("{}{} on {}: {}", summary.workload.name, parameters, summary.machine.id,
                                 binding(total, summary.machine.memory));
  if (const auto& bytes = total.levels.back().bytes_per_update) {
    text += fmt::format(", {} B/update at {}", print_number(*bytes), summary.machine.memory);
  }
  return text + ", " + speed(total);
}

}  // namespace mansard
