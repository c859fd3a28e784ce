// A schedule step: one file in steps/, found by its name.
#pragma once

#include <optional>
#include <span>

#include "schedule/grammar.hpp"
#include "schedule/scheduling.hpp"
#include "workload/kernel.hpp"

namespace mansard {

struct ScheduleStep {
  const char* name;
  const char* usage;    ///< "nontemporal(b, …)"
  const char* summary;  ///< one sentence
  /// Changes the kernel, or reports why it cannot; a step that reports leaves the kernel as it was.
  void (*apply)(Scheduling& scheduling, const StepCall& call);
};

std::span<const ScheduleStep* const> schedule_steps();  ///< all, by name (generated from the folder)

/// Applies the steps in order and records them in kernel.schedule. All mistakes are thrown as one InputError; a step
/// that would change the result of the program is one, unless forced: then it becomes a warning of the kernel.
void apply_schedule(Kernel& kernel, const std::vector<StepCall>& steps, bool force = false);

// ------------------------------------------------------------------------- what steps share

/// The array named, or a mistake with a suggestion.
Array* find_array(Kernel& kernel, const std::string& name, const Position& at, Diagnostics& diagnostics);

/// The loops named `i` or, of those, the one around statement S2 for "S2.i"; empty and a mistake if there is none.
std::vector<Loop*> find_loops(Kernel& kernel, const std::string& name, const Position& at, Diagnostics& diagnostics);

/// Is the array the target of some statement?
bool is_written(const Kernel& kernel, ArrayId array);

/// Whole decimal number within [low, high], or a mistake.
std::optional<Int> read_count(const std::string& text, Int low, Int high, const Position& at, Diagnostics& diagnostics);

/// "32x4x1" to its numbers, each within [low, high], or a mistake.
std::optional<std::vector<Int>> read_counts(const std::string& text, Int low, Int high, const Position& at,
                                            Diagnostics& diagnostics);

}  // namespace mansard
