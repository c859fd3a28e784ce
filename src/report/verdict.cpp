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
  const auto rate = [&](double updates_per_second) {
    std::string text = fmt::format("{} M updates/s", print_number(updates_per_second / 1e6));
    if (total.work.flops() > 0) {
      const double flops = static_cast<double>(total.work.flops()) / static_cast<double>(total.work.updates);
      text += fmt::format(" = {}", print(FlopsPerSecond(updates_per_second * flops)));
    }
    return text;
  };
  const auto& roof = total.roofline.updates_per_second;
  if (total.ecm && total.ecm->updates_per_second) {
    std::string text = rate(*total.ecm->updates_per_second) + " by ECM";
    if (roof) text += fmt::format(", {:.0f} % of the {} roof", 100 * *total.ecm->updates_per_second / *roof, total.roofline.bound_by);
    return text;
  }
  return roof ? rate(*roof) + " at the " + total.roofline.bound_by + " roof" : "speed unknown";
}

}  // namespace

std::string verdict_of(const Summary& summary) {
  const PartSummary& total = summary.total;
  std::string parameters;
  for (const auto& [name, value] : summary.workload.parameters) {
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
