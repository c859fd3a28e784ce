// Variants of one workload side by side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/summary.hpp"

namespace mansard {

struct Variant {
  std::string name;  ///< "plain", "tiled", or the schedule as text
  Summary summary;
};

/// Seconds that the slower of the two models predicts for the whole workload; none if neither knows.
std::optional<double> predicted_seconds(const PartSummary& part);
/// With several cores in use, what they are predicted to take together.
std::optional<double> predicted_seconds(const Summary& summary);

/// Bytes are per update, where all variants are divided by the same number of updates: the smallest of them, so that
/// fusing two loops (half the updates) does not look like more traffic. The first variant is the base of the speed-ups.
std::string comparison_table(const std::vector<Variant>& variants);
std::string comparison_json(const std::vector<Variant>& variants);

}  // namespace mansard
