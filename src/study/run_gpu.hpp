// The whole line once, on a GPU.
#pragma once

#include "study/run.hpp"

namespace mansard {

/// The schedule that a request asks for; on a GPU, without one, the workload's schedule `gpu` where it has one.
ScheduleChoice gpu_schedule(const RunRequest& request, const WorkloadFile& workload);

/// Parses, schedules, lowers, simulates, models. InputError for what is wrong with the files or the request.
Summary run_gpu(const RunRequest& request, const Machine& machine);

}  // namespace mansard
