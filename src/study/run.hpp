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
#include "units/quantity.hpp"
#include "workload/load.hpp"

namespace mansard {

/// Whether to simulate smaller and larger caches as well. `near_edges`: where a closed form shows an edge and the
/// simulation itself was cheap.
enum class BandRuns : std::uint8_t { never, near_edges, always };

/// What the user asks for. Everything has the default of the command line.
struct RunRequest {
  std::filesystem::path workload, machine;
  Definitions definitions;
  std::optional<std::string> schedule;  ///< replaces the workload file's
  std::vector<Override> overrides;      ///< of the machine
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
  bool layer_limits = false;      ///< also find up to which parameters the layer conditions hold
  std::optional<Seconds> budget;  ///< refuse if the simulation is expected to take longer
  std::string version;

  std::function<void(const std::string&)> notice;                     ///< said before a long simulation starts
  std::function<void(std::uint64_t done, double expected)> progress;  ///< accesses, warm-up included
};

/// Parses, schedules, lowers, simulates, models. InputError for what is wrong with the files or the request.
Summary run(const RunRequest& request);

/// The kernel of a workload file after its schedule, or after `schedule` where given.
Kernel scheduled_kernel(const WorkloadFile& workload, const Definitions& definitions,
                        const std::optional<std::string>& schedule);

}  // namespace mansard
