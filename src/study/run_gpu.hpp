// The whole line once, on a GPU.
#pragma once

#include "study/run.hpp"
#include "study/simulate_gpu.hpp"

namespace mansard {

/// The schedule that a request asks for; on a GPU, without one, the workload's schedule `gpu` where it has one.
ScheduleChoice gpu_schedule(const RunRequest& request, const WorkloadFile& workload);

/// The files of a request for a GPU, ready to be simulated.
struct GpuRun {
  Kernel kernel;
  Program program;
};
GpuRun prepare_gpu(const RunRequest& request, const Machine& machine);

/// How thoroughly a launch is simulated.
struct GpuEffort {
  std::uint64_t instructions = 3'000'000;  ///< see GpuSimulateOptions::budget
  bool variants = true;                    ///< also with another order of warps and other capacities
};
/// `associative`: also with each cache in turn fully associative.
GpuSimulation simulate_gpu_run(const RunRequest& request, const Machine& machine, const GpuRun& run,
                               const GpuEffort& effort = {}, bool associative = false);
/// Models.
Summary summarize_gpu_run(const RunRequest& request, const Machine& machine, const GpuRun& run,
                          const GpuSimulation& simulation);

/// Parses, schedules, lowers, simulates, models. InputError for what is wrong with the files or the request.
Summary run_gpu(const RunRequest& request, const Machine& machine);

}  // namespace mansard
