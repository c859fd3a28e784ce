#include "report/verdict.hpp"

#include <fmt/format.h>

#include "report/describe.hpp"
#include "units/print.hpp"

namespace mansard {
namespace {

std::string binding(const PartSummary& total, const std::string& memory) {
  const std::string bound = total.bound_by();
  if (bound.empty()) return "what binds is unknown";
  if (bound == memory) return "memory-bound";
  if (bound == "compute" && total.ecm && total.ecm->unit.core_bound == "chain") return "chain-bound";
  if (bound == "compute" && total.ecm && !total.ecm->unit.core_bound.empty()) {
    return fmt::format("compute-bound ({})", total.ecm->unit.core_bound);
  }
  return bound + "-bound";
}

/// The slower of the two models: a saturated memory bandwidth can put ECM above what one core was measured to reach.
std::string speed(const PartSummary& total, const RunInfo& run) {
  const std::optional<double>& roof = total.roofline.updates_per_second;
  std::optional<double> ecm = total.ecm ? total.ecm->one_core_rate : std::nullopt;
  if (!run.scaling.empty()) ecm = run.scaling.back().updates_per_second;
  if (ecm && (!roof || *ecm < *roof)) {
    return print_rate(*ecm) + " (ECM)" + (roof ? fmt::format(", {:.0f} % of the roof", 100 * *ecm / *roof) : "");
  }
  if (!roof) return "speed unknown";
  std::string text = print_rate(*roof);
  const auto& performance = total.roofline.performance;
  if (performance && total.work.flops() > 0) text += " = " + print(*performance);
  return text + " at the roof";
}

}  // namespace

std::string verdict_of(const Summary& summary) {
  const PartSummary& total = summary.total;
  std::string text =
      fmt::format("{} on {}: {}", summary.workload.name, summary.machine.id, binding(total, summary.machine.memory));
  if (const auto& bytes = total.levels.back().bytes_per_update) {
    const bool said = total.bound_by() == summary.machine.memory;
    text += fmt::format(", {} B/update{}", print_number(*bytes), said ? "" : " at " + summary.machine.memory);
  }
  return text + ", " + speed(total, summary.run);
}

}  // namespace mansard
