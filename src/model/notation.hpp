// The ECM model's published notation (Stengel et al., ICS 2015, section 3).
#pragma once

#include <optional>
#include <string>

#include "model/ecm.hpp"
#include "units/quantity.hpp"

namespace mansard {

/// At most one decimal, without a trailing ".0"; "?" if absent.
std::string short_cycles(const std::optional<Cycles>& time);
std::string ecm_notation(const EcmTimes& unit);     ///< "{6 ‖ 8 | 10 | 6 | 13}"
std::string ecm_predictions(const EcmTimes& unit);  ///< "{8 ⌉ 18 ⌉ 24 ⌉ 37}"

}  // namespace mansard
