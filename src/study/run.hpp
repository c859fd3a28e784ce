// The whole line once: files and options to a summary.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "input/yaml.hpp"
#include "machine/machine.hpp"
#include "report/summary.hpp"
#include "study/simulate.hpp"
#include "units/quantity.hpp"
#include "workload/load.hpp"

namespace mansard {

/// Whether to simulate smaller and larger caches as well. `near_edges`: where a closed form shows an edge and the
/// simulation itself was cheap.
enum class BandRuns : std::uint8_t { never, near_edges, always };

/// Which schedule: the workload file's own, one of those that it names, or one given as text.
struct ScheduleChoice {
  std::optional<std::string> text;     ///< replaces the workload file's
  std::optional<std::string> variant;  ///< one of `schedules` in the workload file
  bool force = false;                  ///< steps that change the result are warned of, not refused
};

/// Look-ups that a current core simulates in a second, at least: what a budget in seconds means.
inline constexpr double lookups_per_second = 50e6;

/// What the user asks for. Everything has the default of the command line.
struct RunRequest {
  std::filesystem::path workload, machine;
  Definitions definitions;
  ScheduleChoice schedule;
  std::vector<Override> overrides;  ///< of the machine
  std::uint32_t cores = 1;
  bool scaling = false;  ///< simulate 1 … cores, not only `cores`
  bool cold = false, drain = true;
  bool registers = true;
  bool worst_branches = false;
  bool naive = false;              ///< the plain twin of the engine
  bool warp = true;                ///< fast-forward over proven repetition
  unsigned threads = 1;            ///< that simulate
  std::optional<unsigned> sample;  ///< simulate one set in so many
  std::uint64_t seed = 1;          ///< of data-dependent branches
  BandRuns band = BandRuns::near_edges;
  bool layer_limits = false;                  ///< also find up to which parameters the layer conditions hold
  std::optional<Seconds> budget;              ///< refuse if the simulation is expected to take longer
  std::optional<std::uint64_t> most_lookups;  ///< SimulateOptions::most_lookups
  std::string version;

  std::function<void(const std::string&)> notice;                     ///< said before a long simulation starts
  std::function<void(std::uint64_t done, double expected)> progress;  ///< accesses, warm-up included
};

/// The files of a request, ready to be simulated.
struct Prepared {
  Machine machine;
  WorkloadFile workload;
  Kernel kernel;
  Program program;
};
/// Parses, schedules, lowers; refuses what cannot be counted or would take longer than the budget.
Prepared prepare(const RunRequest& request);
Prepared prepare(const RunRequest& request, Machine machine);  ///< with a machine that is at hand
/// On one core: with the machine's hierarchy, or another geometry with the same levels.
Simulation simulate(const RunRequest& request, const Prepared& prepared, const Geometry& geometry);
/// `info`: what is known of the run already.
Summary summarize(const RunRequest& request, const Prepared& prepared, const Simulation& simulation, RunInfo info = {});

/// Parses, schedules, lowers, simulates, models. InputError for what is wrong with the files or the request.
Summary run(const RunRequest& request);

/// The machine with the overrides of the request.
Machine machine_of(const RunRequest& request);

/// The texts of a schedule: as given, or the workload's.
std::vector<SourceText> schedule_texts(const WorkloadFile& workload, const ScheduleChoice& schedule);

/// The kernel of a workload file after the schedule chosen.
Kernel scheduled_kernel(const WorkloadFile& workload, const Definitions& definitions, const ScheduleChoice& schedule);

}  // namespace mansard
