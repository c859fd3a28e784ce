#include "study/run_gpu.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/gpu_summary.hpp"
#include "stream/lower.hpp"
#include "units/print.hpp"

namespace mansard {
namespace {

void check_request(const RunRequest& request, const Machine& machine) {
  const auto refuse = [&](const char* option, const std::string& why) { throw InputError({option}, why); };
  if (request.cores > 1)
    refuse("--cores",
           fmt::format("{} is a GPU: all of its {} multiprocessors are used", machine.id, machine.gpu->sm.count));
  if (request.naive) refuse("--engine", "a GPU has one engine");
  if (request.sample) refuse("--sample", "samples are for CPUs; large launches are simulated in a window");
  if (!request.warp) refuse("--no-warp", "a GPU's engine fast-forwards nothing");
  if (request.threads > 1) refuse("--threads", "a GPU is simulated by one thread");
  if (request.band != BandRuns::near_edges)
    refuse("--band", "is for CPUs; on a GPU, 85 and 115 % of the capacities are always simulated as well");
  if (request.budget)
    refuse("--budget", "is for CPUs; on a GPU, what takes more than seconds is simulated in a window");
}

/// Caches of GPUs number lines with 32 bits, which is more than any of them holds.
void check_size(const Program& program, const Machine& machine) {
  std::uint32_t line = 128;
  for (const GpuCache& cache : machine.gpu->caches) line = std::min(line, cache.line);
  const std::uint64_t most = (std::uint64_t{1} << 32U) * line - line;
  for (const Region& region : program.regions) {
    if (region.start + region.bytes > most) {
      throw InputError({"run"}, fmt::format("the arrays take more than the {} that are simulated on {}",
                                            print_size(most), machine.id));
    }
  }
}

}  // namespace

ScheduleChoice gpu_schedule(const RunRequest& request, const WorkloadFile& workload) {
  ScheduleChoice choice = request.schedule;
  const bool has_own = std::ranges::find(workload.schedules, "gpu", &NamedSchedule::name) != workload.schedules.end();
  if (!choice.text && !choice.variant && has_own) choice.variant = "gpu";
  return choice;
}

GpuRun prepare_gpu(const RunRequest& request, const Machine& machine) {
  check_request(request, machine);
  const WorkloadFile workload = load_workload(request.workload);
  GpuRun run{scheduled_kernel(workload, request.definitions, gpu_schedule(request, workload)), {}};
  run.program = lower(run.kernel, {request.registers, request.worst_branches, machine.layout_gap, request.seed});
  check_size(run.program, machine);
  return run;
}

GpuSimulation simulate_gpu_run(const RunRequest& request, const Machine& machine, const GpuRun& run,
                               const GpuEffort& effort, bool associative) {
  GpuSimulateOptions options;
  options.cold = request.cold;
  options.drain = request.drain;
  options.seed = request.seed;
  options.budget = effort.instructions;
  options.variants = effort.variants;
  options.associative = associative;
  return simulate_gpu(run.program, *machine.gpu, options);
}

Summary summarize_gpu_run(const RunRequest& request, const Machine& machine, const GpuRun& run,
                          const GpuSimulation& simulation) {
  RunInfo info;
  info.version = request.version;
  info.cold = request.cold;
  info.drained = request.cold && request.drain;
  info.lookups = simulation.instructions;
  info.seconds = simulation.seconds;
  return summarize_gpu(machine, run.kernel, run.program, simulation.nests, info);
}

Summary run_gpu(const RunRequest& request, const Machine& machine) {
  const GpuRun run = prepare_gpu(request, machine);
  return summarize_gpu_run(request, machine, run, simulate_gpu_run(request, machine, run));
}

}  // namespace mansard
