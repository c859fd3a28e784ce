#include "study/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cache/geometry.hpp"
#include "cache/policy.hpp"
#include "machine/load.hpp"
#include "report/sharing.hpp"
#include "schedule/step.hpp"
#include "stream/estimate.hpp"
#include "stream/lower.hpp"
#include "study/simulate.hpp"
#include "study/simulate_cores.hpp"
#include "units/print.hpp"

namespace mansard {
namespace {

constexpr double lookups_per_second = 50e6;        // what a current core does at least
constexpr double cores_lookups_per_second = 10e6;  // of the hierarchy of several cores
constexpr double worth_a_notice = 1e10;            // look-ups: minutes

std::string duration(double seconds) {
  if (seconds < 120) return print(Seconds(seconds));
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", seconds / 3600);
}

/// Counters are 64 bits wide: a program that could make them wrap is refused.
void check_countable(const Program& program, std::uint32_t line_bytes) {
  constexpr double most_bytes = 4e18;  // half of 2^63: the forecast is a forecast
  const double accesses = 2 * estimate_accesses(program);
  if (accesses * std::max(line_bytes, 64U) > most_bytes) {
    throw InputError({"run"},
                     fmt::format("about {:.2g} accesses are more than can be counted in 64 bits", accesses / 2));
  }
}

/// Says how long it will take, or refuses.
void check_budget(const RunRequest& request, const Program& program, std::uint32_t line_bytes) {
  const bool accelerated = request.warp && !request.naive;
  const double once = accelerated ? estimate_lookups(program, line_bytes) : estimate_accesses(program);
  const double lookups = once * (request.cold ? 1 : 2);
  const double runs = request.scaling ? request.cores : 1;
  const double seconds = runs * lookups / (request.cores > 1 ? cores_lookups_per_second : lookups_per_second);
  const std::string forecast = fmt::format("about {:.2g} look-ups, up to {}", lookups, duration(seconds));
  if (request.budget && seconds > request.budget->value) {
    throw InputError({"--budget"}, fmt::format("the simulation is expected to take longer than {}: {}",
                                               duration(request.budget->value), forecast));
  }
  if (lookups > worth_a_notice && request.notice) request.notice("this will take a while: " + forecast);
}

/// `--cores` against the machine and the schedule.
void check_cores(const RunRequest& request, const Machine& machine, const Kernel& kernel, const Program& program) {
  const std::uint64_t most = std::uint64_t{machine.cores} * machine.sockets;
  if (request.cores > most) {
    throw InputError({"--cores"}, fmt::format("{} has {} sockets of {} cores, found {}", machine.id, machine.sockets,
                                              machine.cores, request.cores));
  }
  check_caches(geometry_of(machine), request.cores);
  if (serial_nests(program).size() < program.nests.size()) return;
  std::vector<std::string> loops;
  for (const Node& node : kernel.nests) {
    if (const auto* loop = std::get_if<Loop>(&node.is)) loops.push_back(loop->name);
  }
  throw InputError({"--cores"}, fmt::format("no loop is shared among the cores: a step of the schedule does that, as "
                                            "in --schedule 'parallel({})'; the outermost loops are {}",
                                            loops.empty() ? "i" : loops.front(), join(loops)));
}

/// Fills in what a report says of several cores.
Simulation run_on_cores(const RunRequest& request, const Machine& machine, const Program& program,
                        const SimulateOptions& options, RunInfo& info) {
  const Geometry geometry = geometry_of(machine);
  CoresSimulation last;
  for (std::uint32_t cores = request.scaling ? 1 : request.cores; cores <= request.cores; ++cores) {
    last = simulate_cores(program, geometry, cores, options);
    info.scaling.push_back(multicore_point(machine, ecm_of(machine, program, last.all.nests), last.all.nests, cores));
  }
  info.cores = request.cores;
  info.sharing = sharing_of(program, last.sharing);
  const std::vector<std::string> serial = serial_nests(program);
  if (!serial.empty()) info.warnings.push_back("not shared among cores, one core runs them: nests " + join(serial));
  return std::move(last.all);
}

}  // namespace

Kernel scheduled_kernel(const WorkloadFile& workload, const Definitions& definitions,
                        const std::optional<std::string>& schedule) {
  Kernel kernel = make_kernel(workload, definitions);
  if (schedule) {
    apply_schedule(kernel, parse_schedule({"--schedule", *schedule, 1, 0}));
  } else {
    std::vector<StepCall> steps;
    for (const SourceText& text : workload.schedule) {
      for (StepCall& call : parse_schedule(text)) steps.push_back(std::move(call));
    }
    apply_schedule(kernel, steps);
  }
  return kernel;
}

Summary run(const RunRequest& request) {
  const Machine machine = load_machine(request.machine, request.overrides, {policy_names()});
  const Kernel kernel = scheduled_kernel(load_workload(request.workload), request.definitions, request.schedule);
  const Program program = lower(kernel, {request.registers, request.worst_branches, machine.layout_gap, request.seed});
  if (request.cores > 1) check_cores(request, machine, kernel, program);
  check_countable(program, machine.caches.front().line);
  check_budget(request, program, machine.caches.front().line);

  SimulateOptions options{request.cold, request.drain, request.naive, request.warp, {}};
  if (request.progress) {
    const double expected = estimate_accesses(program) * (request.cold ? 1 : 2);
    options.progress = [&, expected](std::uint64_t done) { request.progress(done, expected); };
  }
  RunInfo info;
  const Simulation simulation = request.cores > 1 ? run_on_cores(request, machine, program, options, info)
                                                  : simulate(program, geometry_of(machine), options);
  info.version = request.version;
  info.cold = request.cold;
  info.drained = request.cold && request.drain;
  info.lookups = simulation.lookups;
  if (request.cold && !request.drain) info.dirty_left = simulation.dirty_left;
  info.seconds = simulation.seconds;
  return summarize(machine, kernel, program, simulation.nests, info);
}

}  // namespace mansard
