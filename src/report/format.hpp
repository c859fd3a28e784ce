// An output format: one file in formats/, found by its name.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/quick_roofline.hpp"
#include "report/summary.hpp"

namespace mansard {

struct RenderOptions {
  bool verbose = false;  ///< counters by kind and by array
};

/// The quick estimate and the machine it is for.
struct QuickSummary {
  std::string version, machine_id, machine_name;
  QuickRoofline estimate;
};

struct Format {
  const char* name;
  const char* summary;  ///< one sentence
  std::string (*render)(const Summary& summary, const RenderOptions& options);
  std::string (*render_quick)(const QuickSummary& summary);  ///< null where the format has none
};

std::span<const Format* const> all_formats();      ///< by name (generated from the folder)
const Format* find_format(std::string_view name);  ///< null if there is none

}  // namespace mansard
