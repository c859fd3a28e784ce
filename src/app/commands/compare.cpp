// mansard compare WORKLOAD -m MACHINE --with '…' --with '…': variants side by side.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "app/output.hpp"
#include "app/run_options.hpp"
#include "report/comparison.hpp"

namespace mansard::commands {

extern const Command compare;

namespace {

/// "plain" is the program as written, a name is one of the file's schedules, anything else is a schedule.
ScheduleChoice choice_of(const WorkloadFile& workload, const std::string& with, bool force) {
  const bool named = std::ranges::find(workload.schedules, with, &NamedSchedule::name) != workload.schedules.end();
  if (named) return {std::nullopt, with, force};
  return {with == "plain" ? "" : with, std::nullopt, force};
}

bool is_for_gpus(const NamedSchedule& named) {
  return std::ranges::any_of(named.steps,
                             [](const SourceText& step) { return step.text.find("gpu(") != std::string::npos; });
}

int main(const std::vector<std::string>& words, const Surroundings& surroundings) {
  constexpr std::size_t most_variants = 26;
  Arguments arguments("mansard compare");
  arguments.operands("WORKLOAD", 1, 1)
      .list("with", "a variant: a schedule, the name of one of the file's, or plain; the first is the base");
  add_run_options(arguments);
  arguments.value("format", "output: table (default) or json").value("output,o", "write to this file");
  arguments.parse(words);
  if (arguments.has("help")) {
    surroundings.out << "usage: mansard " << compare.usage << '\n' << compare.summary << '\n' << arguments.help();
    return 0;
  }
  const bool json = arguments.choice("format", {"table", "json"}, "table") == "json";
  RunRequest request = read_run_options(arguments, arguments.operands().front(), surroundings);
  if (request.schedule.text || request.schedule.variant)
    throw InputError({"--with"}, "names the schedules to compare, instead of --schedule and --variant");
  const WorkloadFile workload = load_workload(request.workload);
  std::vector<std::string> with = arguments.texts("with");
  const bool gpu = machine_of(request).gpu.has_value();
  // One variant is compared with the program as written, on a GPU with the file's mapping; none means all that the file
  // names for such a machine.
  if (with.empty()) {
    for (const NamedSchedule& named : workload.schedules) {
      if (is_for_gpus(named) == gpu) with.push_back(named.name);
    }
  }
  const std::string base = gpu ? "gpu" : "plain";
  if (with.size() < 2 && std::ranges::find(with, base) == with.end()) with.insert(with.begin(), base);
  if (with.size() < 2)
    throw InputError({"--with"},
                     arguments.texts("with").empty()
                         ? "is missing, and the workload names no schedules of its own"
                         : fmt::format("names one schedule only: expected two or more, or one beside {}", base));
  if (with.size() > most_variants) throw InputError({"--with"}, "is given more than 26 times");
  std::vector<Variant> variants;
  const bool force = request.schedule.force;
  for (const std::string& text : with) {
    request.schedule = choice_of(workload, text, force);
    variants.push_back({text, mansard::run(request)});
    if (surroundings.terminal) surroundings.err << "\r\033[K" << std::flush;
  }
  write_result(json ? comparison_json(variants) : comparison_table(variants), arguments.text("output"),
               surroundings.out);
  return 0;
}

}  // namespace

const Command compare{"compare", "compare WORKLOAD -m MACHINE [--with SCHEDULE]… [-D N=512]…",
                      "runs variants of a workload and shows them side by side: traffic, time, speed-up", main};

}  // namespace mansard::commands
