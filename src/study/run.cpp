#include "study/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cache/geometry.hpp"
#include "cache/policy.hpp"
#include "machine/load.hpp"
#include "schedule/step.hpp"
#include "stream/estimate.hpp"
#include "stream/lower.hpp"
#include "study/simulate.hpp"
#include "units/print.hpp"

namespace mansard {
namespace {

constexpr double lookups_per_second = 50e6;  // what a current core does at least
constexpr double worth_a_notice = 1e10;      // look-ups: minutes

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
  const double seconds = lookups / lookups_per_second;
  const std::string forecast = fmt::format("about {:.2g} look-ups, up to {}", lookups, duration(seconds));
  if (request.budget && seconds > request.budget->value) {
    throw InputError({"--budget"}, fmt::format("the simulation is expected to take longer than {}: {}",
                                               duration(request.budget->value), forecast));
  }
  if (lookups > worth_a_notice && request.notice) request.notice("this will take a while: " + forecast);
}

}  // namespace

Kernel scheduled_kernel(const WorkloadFile& workload, const Definitions& definitions, const ScheduleChoice& schedule) {
  std::vector<SourceText> texts = workload.schedule;
  if (schedule.variant) {
    std::vector<std::string> names;
    for (const NamedSchedule& named : workload.schedules) names.push_back(named.name);
    const auto named = std::ranges::find(workload.schedules, *schedule.variant, &NamedSchedule::name);
    if (named == workload.schedules.end()) {
      throw InputError({"--variant"},
                       fmt::format("{} has no schedule '{}'; it has {}", workload.id, *schedule.variant,
                                   names.empty() ? "none" : join(names)),
                       suggest(*schedule.variant, names));
    }
    texts = named->steps;
  }
  if (schedule.text) texts = {SourceText{"--schedule", *schedule.text, 1, 0}};
  std::vector<StepCall> steps;
  for (const SourceText& text : texts) {
    for (StepCall& call : parse_schedule(text)) steps.push_back(std::move(call));
  }
  Kernel kernel = make_kernel(workload, definitions);
  apply_schedule(kernel, steps, schedule.force);
  return kernel;
}

Prepared prepare(const RunRequest& request) {
  Prepared p{load_machine(request.machine, request.overrides, {policy_names()}),
             scheduled_kernel(load_workload(request.workload), request.definitions, request.schedule),
             {}};
  p.program = lower(p.kernel, {request.registers, request.worst_branches, p.machine.layout_gap, request.seed});
  check_countable(p.program, p.machine.caches.front().line);
  check_budget(request, p.program, p.machine.caches.front().line);
  return p;
}

Simulation simulate(const RunRequest& request, const Prepared& prepared, const Geometry& geometry) {
  SimulateOptions options{request.cold, request.drain, request.naive, request.warp, {}};
  if (request.progress) {
    const double expected = estimate_accesses(prepared.program) * (request.cold ? 1 : 2);
    options.progress = [&request, expected](std::uint64_t done) { request.progress(done, expected); };
  }
  return simulate(prepared.program, geometry, options);
}

Summary summarize(const RunRequest& request, const Prepared& prepared, const Simulation& simulation) {
  RunInfo info;
  info.version = request.version;
  info.cold = request.cold;
  info.drained = request.cold && request.drain;
  info.lookups = simulation.lookups;
  if (request.cold && !request.drain) info.dirty_left = simulation.dirty_left;
  info.seconds = simulation.seconds;
  return summarize(prepared.machine, prepared.kernel, prepared.program, simulation.nests, info);
}

Summary run(const RunRequest& request) {
  const Prepared prepared = prepare(request);
  return summarize(request, prepared, simulate(request, prepared, geometry_of(prepared.machine)));
}

}  // namespace mansard
