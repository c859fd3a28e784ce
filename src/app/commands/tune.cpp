// mansard tune WORKLOAD -m MACHINE: searches schedules for the least predicted time.
#include "study/tune.hpp"

#include <ostream>

#include "app/output.hpp"
#include "app/run_options.hpp"

namespace mansard::commands {

extern const Command tune;

namespace {

int main(const std::vector<std::string>& words, const Surroundings& surroundings) {
  Arguments arguments("mansard tune");
  arguments.operands("WORKLOAD", 1, 1);
  add_run_options(arguments);
  arguments.value("simulations", "simulate at most so many schedules, default 24")
      .value("output,o", "write to this file");
  arguments.parse(words);
  if (arguments.has("help")) {
    surroundings.out << "usage: mansard " << tune.usage << '\n'
                     << tune.summary << "\n--budget bounds the whole search here, default 45 s\n"
                     << arguments.help();
    return 0;
  }
  RunRequest request = read_run_options(arguments, arguments.operands().front(), surroundings);
  const bool gpu = machine_of(request).gpu.has_value();  // there, the search starts from a mapping
  if (!gpu && (request.schedule.text || request.schedule.variant))
    throw InputError({"--schedule"}, "is what tune looks for, and cannot be given");
  if (request.cores > 1) throw InputError({"--cores"}, "tune searches for one core; compare takes schedules and cores");
  TuneOptions options;
  constexpr std::int64_t most = 100000;
  if (const auto simulations = arguments.count("simulations", 1, most))
    options.simulations = static_cast<std::size_t>(*simulations);
  if (request.budget) options.budget = *request.budget;
  if (surroundings.terminal) {
    options.progress = [&err = surroundings.err](const std::string& what) {
      err << '\r' << what << "\033[K" << std::flush;
    };
  }
  const Tuning tuning = mansard::tune(request, options);
  if (surroundings.terminal) surroundings.err << "\r\033[K" << std::flush;
  write_result(tuning_table(tuning), arguments.text("output"), surroundings.out);
  return 0;
}

}  // namespace

const Command tune{"tune", "tune WORKLOAD -m MACHINE [-D N=512]… [--budget '45 s']",
                   "searches tile sizes, loop orders, unroll factors and streaming stores for the least time", main};

}  // namespace mansard::commands
