#include "study/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cache/geometry.hpp"
#include "cache/policy.hpp"
#include "machine/load.hpp"
#include "report/sharing.hpp"
#include "schedule/step.hpp"
#include "stream/estimate.hpp"
#include "stream/gpu/launch.hpp"
#include "stream/lower.hpp"
#include "stream/translations.hpp"
#include "study/band.hpp"
#include "study/layer_limits.hpp"
#include "study/run_gpu.hpp"
#include "study/simulate.hpp"
#include "study/simulate_cores.hpp"
#include "units/print.hpp"

namespace mansard {
namespace {

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
  check_caches(geometry_of(machine, request.cores), request.cores);
  if (request.sample) throw InputError({"--sample"}, "samples are for one core");
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
  CoresSimulation last;
  for (std::uint32_t cores = request.scaling ? 1 : request.cores; cores <= request.cores; ++cores) {
    last = simulate_cores(program, geometry_of(machine, cores), cores, options);
    info.scaling.push_back(multicore_point(machine, ecm_of(machine, program, last.all.nests), last.all.nests, cores));
  }
  info.cores = request.cores;
  info.sharing = sharing_of(program, last.sharing);
  const std::vector<std::string> serial = serial_nests(program);
  if (!serial.empty()) info.warnings.push_back("not shared among cores, one core runs them: nests " + join(serial));
  if (!machine.tlb.empty()) info.warnings.emplace_back("TLBs are simulated for one core only");
  return std::move(last.all);
}

/// About how it was simulated.
std::vector<std::string> warnings_of(const RunRequest& request, const Simulation& simulation, const Machine& machine) {
  std::vector<std::string> warnings;
  if (request.sample) {
    std::string text = fmt::format(
        "approximate: one set in {} was simulated; between the samples the traffic differs by", *request.sample);
    for (std::size_t k = 0; k < simulation.spread.size(); ++k) {
      text +=
          fmt::format("{} {:.2g} % behind {}", k == 0 ? "" : ",", 100 * simulation.spread[k], machine.caches[k].name);
    }
    warnings.push_back(text);
  } else if (!request.naive && simulation.threads < request.threads) {
    warnings.push_back(fmt::format("simulated by {} {}, not {}: the sets of this machine cannot be shared by more",
                                   simulation.threads, simulation.threads == 1 ? "thread" : "threads",
                                   request.threads));
  }
  return warnings;
}

/// If the simulation itself was cheap, that is.
bool wants_bands(const RunRequest& request, const Machine& machine, const Program& program) {
  if (request.cores > 1) return false;
  if (request.band != BandRuns::near_edges) return request.band == BandRuns::always;
  constexpr double most_lines = 1U << 28U;  // beyond, the larger caches alone would take gigabytes
  double lines = 0;
  for (const CacheLevel& cache : machine.caches) lines += static_cast<double>(cache.sets) * cache.ways;
  if (lines > most_lines) return false;
  const bool repeated = program.nests.size() == 1 && !request.cold;
  return std::any_of(program.nests.begin(), program.nests.end(), [&](const Nest& nest) {
    return near_edge(machine, reuse_of(nest, program.regions, machine.caches.front().line, repeated));
  });
}

bool cheap_enough_for_bands(const RunRequest& request, double lookups) {
  constexpr double cheap = 20e6;  // less than a second
  return request.band == BandRuns::always || lookups <= cheap;
}

SimulateOptions simulate_options(const RunRequest& request) {
  return {request.cold, request.drain,       request.naive, request.warp, request.threads, request.sample,
          {},           request.most_lookups};
}

/// Bands beside the simulation proper, if that will be cheap.
std::optional<SmearedRuns> begin_bands(const RunRequest& request, const Prepared& prepared) {
  const bool accelerated = request.warp && !request.naive;
  const double expected = accelerated ? estimate_lookups(prepared.program, prepared.machine.caches.front().line)
                                      : estimate_accesses(prepared.program);
  if (!cheap_enough_for_bands(request, expected) || !wants_bands(request, prepared.machine, prepared.program))
    return {};
  return SmearedRuns(prepared.program, prepared.machine, simulate_options(request));
}

SimulateOptions with_progress(const RunRequest& request, const Program& program) {
  SimulateOptions options = simulate_options(request);
  if (request.progress) {
    const double expected = estimate_accesses(program) * (request.cold ? 1 : 2);
    options.progress = [&request, expected](std::uint64_t done) { request.progress(done, expected); };
  }
  return options;
}

LowerOptions lower_options(const RunRequest& request, const Machine& machine) {
  return {request.registers, request.worst_branches, machine.layout_gap, request.seed};
}

std::vector<StepCall> steps_of(const WorkloadFile& workload, const ScheduleChoice& schedule) {
  std::vector<StepCall> steps;
  for (const SourceText& text : schedule_texts(workload, schedule)) {
    for (StepCall& call : parse_schedule(text)) steps.push_back(std::move(call));
  }
  return steps;
}

/// Of nest `n`, for every parameter of a workload without data (whose sizes do not follow from the parameters alone).
void find_layer_limits(LayerSummary& layers, std::size_t n, const RunRequest& request, const Machine& machine,
                       const WorkloadFile& workload, const Kernel& kernel) {
  if (layers.conditions.empty() || workload.data.type == YamlNode::Type::map) return;
  const ParsedWorkload parsed(workload);
  const std::vector<StepCall> steps = steps_of(workload, request.schedule);
  for (const auto& [name, value] : kernel.parameters) {
    const auto conditions_at = [&](Int other) -> std::optional<std::vector<LayerCondition>> {
      Definitions definitions = request.definitions;
      std::erase_if(definitions, [&](const auto& given) { return given.first == name; });
      definitions.emplace_back(name, std::to_string(other));
      try {
        Kernel other_kernel = parsed.kernel(definitions);
        apply_schedule(other_kernel, steps, request.schedule.force);
        const Program program = lower(other_kernel, lower_options(request, machine));
        if (n >= program.nests.size()) return std::nullopt;
        const NestReuse reuse = reuse_of(program.nests[n], program.regions, machine.caches.front().line,
                                         program.nests.size() == 1 && !request.cold);
        return reuse.why_not.empty() ? std::optional(layer_conditions(reuse)) : std::nullopt;
      } catch (const InputError&) {
        return std::nullopt;  // no such kernel: too small for its halo, or too large
      }
    };
    add_layer_limits(layers, machine, name, value, conditions_at);
  }
}

/// TLBs are a hierarchy of their own: nothing that they do changes what the caches see.
void add_translations(Simulation& simulation, const Program& program, const Machine& machine, SimulateOptions options) {
  options.progress = {};
  options.drain = false;
  const Simulation pages = simulate(translations_of(program), tlb_geometry_of(machine), options);
  for (std::size_t n = 0; n < pages.nests.size(); ++n) simulation.nests[n].tlb = pages.nests[n].counters.levels;
  simulation.seconds += pages.seconds;
}

}  // namespace

Machine machine_of(const RunRequest& request) {
  return load_machine(request.machine, request.overrides, {policy_names(), check_replacement});
}

std::vector<SourceText> schedule_texts(const WorkloadFile& workload, const ScheduleChoice& schedule) {
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
  return texts;
}

Kernel scheduled_kernel(const WorkloadFile& workload, const Definitions& definitions, const ScheduleChoice& schedule) {
  const std::vector<StepCall> steps = steps_of(workload, schedule);
  Kernel kernel = make_kernel(workload, definitions);
  apply_schedule(kernel, steps, schedule.force);
  return kernel;
}

Prepared prepare(const RunRequest& request) { return prepare(request, machine_of(request)); }

Prepared prepare(const RunRequest& request, Machine machine) {
  if (machine.gpu) throw InputError({request.machine.string()}, "this is not done for GPUs: expected a CPU");
  WorkloadFile workload = load_workload(request.workload);
  Kernel kernel = scheduled_kernel(workload, request.definitions, request.schedule);
  Prepared p{std::move(machine), std::move(workload), std::move(kernel), {}};
  p.program = lower(p.kernel, lower_options(request, p.machine));
  for (std::size_t n = 0; n < p.program.nests.size(); ++n) {
    if (const auto launch = launch_of(p.program, n))
      throw InputError(launch->mapping->at,
                       fmt::format("{} is mapped to a GPU, but {} is a CPU", p.program.nests[n].name, p.machine.id));
  }
  if (request.cores > 1) check_cores(request, p.machine, p.kernel, p.program);
  check_countable(p.program, p.machine.caches.front().line);
  check_budget(request, p.program, p.machine.caches.front().line);
  return p;
}

Simulation simulate(const RunRequest& request, const Prepared& prepared, const Geometry& geometry) {
  const SimulateOptions options = with_progress(request, prepared.program);
  Simulation simulation = simulate(prepared.program, geometry, options);
  if (!prepared.machine.tlb.empty()) add_translations(simulation, prepared.program, prepared.machine, options);
  return simulation;
}

namespace {

/// `bands`, if they have been started already.
Summary summarize(const RunRequest& request, const Prepared& prepared, const Simulation& simulation, RunInfo info,
                  std::optional<SmearedRuns> bands) {
  const auto& [machine, workload, kernel, program] = prepared;
  info.version = request.version;
  info.cold = request.cold;
  info.drained = request.cold && request.drain;
  info.lookups = simulation.lookups;
  if (request.cold && !request.drain) info.dirty_left = simulation.dirty_left;
  info.seconds = simulation.seconds;
  for (std::string& text : warnings_of(request, simulation, machine)) info.warnings.push_back(std::move(text));
  if (request.sample) {
    info.exact = false;
    info.sample = SampleInfo{*request.sample, simulation.spread};
  }

  std::vector<std::vector<NestResult>> smeared;
  if (cheap_enough_for_bands(request, static_cast<double>(simulation.lookups)) &&
      (bands || wants_bands(request, machine, program))) {
    if (!bands) bands.emplace(program, machine, simulate_options(request));
    smeared = bands->results();
  }
  Summary summary = summarize(machine, kernel, program, simulation.nests, info, smeared);
  if (request.layer_limits && request.cores == 1) {
    if (summary.total.layers) find_layer_limits(*summary.total.layers, 0, request, machine, workload, kernel);
    for (std::size_t n = 0; n < summary.nests.size(); ++n)
      find_layer_limits(*summary.nests[n].layers, n, request, machine, workload, kernel);
  }
  return summary;
}

}  // namespace

Summary summarize(const RunRequest& request, const Prepared& prepared, const Simulation& simulation, RunInfo info) {
  return summarize(request, prepared, simulation, std::move(info), std::nullopt);
}

Summary run(const RunRequest& request) {
  Machine machine = machine_of(request);
  if (machine.gpu) return run_gpu(request, machine);
  const Prepared prepared = prepare(request, std::move(machine));
  if (request.cores == 1) {
    std::optional<SmearedRuns> bands = begin_bands(request, prepared);
    const Simulation simulation = simulate(request, prepared, geometry_of(prepared.machine));
    return summarize(request, prepared, simulation, {}, std::move(bands));
  }
  RunInfo info;
  const Simulation simulation =
      run_on_cores(request, prepared.machine, prepared.program, with_progress(request, prepared.program), info);
  return summarize(request, prepared, simulation, std::move(info));
}

}  // namespace mansard
