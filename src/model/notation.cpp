#include "model/notation.hpp"

#include <fmt/format.h>

namespace mansard {

std::string short_cycles(const std::optional<Cycles>& time) {
  if (!time) return "?";
  std::string text = fmt::format("{:.1f}", time->value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string ecm_notation(const EcmTimes& unit) {
  std::string text = "{" + short_cycles(unit.t_ol) + " ‖ " + short_cycles(unit.t_nol);
  for (const auto& transfer : unit.transfers) text += " | " + short_cycles(transfer);
  return text + "}";
}

std::string ecm_predictions(const EcmTimes& unit) {
  std::string text;
  for (const auto& prediction : unit.predictions) text += (text.empty() ? "{" : " ⌉ ") + short_cycles(prediction);
  return text.empty() ? "{}" : text + "}";
}

}  // namespace mansard
