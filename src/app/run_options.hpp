// The options that every command which simulates shares.
#pragma once

#include "app/arguments.hpp"
#include "app/command.hpp"
#include "study/run.hpp"

namespace mansard {

/// -m, -D, --schedule, --set, --cores, --cold, --no-drain, --registers, --branches, --seed, --engine, --budget.
void add_run_options(Arguments& arguments);

/// --schedule, --variant, --force.
void add_schedule_options(Arguments& arguments);
ScheduleChoice read_schedule_options(const Arguments& arguments);

/// The request that the options and `workload` describe, with progress on a terminal.
RunRequest read_run_options(const Arguments& arguments, const std::string& workload, const Surroundings& surroundings);

/// --format, -o, -v.
void add_output_options(Arguments& arguments);
std::vector<std::string> format_names();

}  // namespace mansard
