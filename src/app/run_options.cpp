#include "app/run_options.hpp"

#include <fmt/format.h>

#include <limits>
#include <ostream>

#include "app/data.hpp"
#include "app/loading.hpp"
#include "app/version.hpp"
#include "report/format.hpp"

namespace mansard {

void add_schedule_options(Arguments& arguments) {
  arguments.value("schedule", "schedule steps, instead of the file's: 'tile(j: 32); nontemporal(b)'")
      .value("variant", "one of the schedules that the workload file names")
      .flag("force", "apply steps that change the result of the program; the report says so");
}

ScheduleChoice read_schedule_options(const Arguments& arguments) {
  if (arguments.has("schedule") && arguments.has("variant"))
    throw InputError({"--variant"}, "cannot be given together with --schedule");
  return {arguments.text("schedule"), arguments.text("variant"), arguments.has("force")};
}

void add_run_options(Arguments& arguments) {
  add_schedule_options(arguments);
  arguments.value("machine,m", "the machine: a file, or the name of a shipped one")
      .list("define,D", "set a parameter of the workload: N=512")
      .list("set", "override a value of the machine file: caches.L2.size=2MiB")
      .value("cores", "cores in use, on the loops shared by the step parallel(…); default 1")
      .flag("scaling", "with --cores n: simulate 1 … n cores and show how they scale")
      .flag("cold", "start with empty caches and write dirty lines back at the end, instead of steady state")
      .flag("no-drain", "with --cold: leave dirty lines in the caches")
      .value("registers", "auto (default), or none: every access of the text reaches the L1 cache")
      .value("branches", "data-dependent branches: ratio (default), or worst: both ways always")
      .value("seed", "of data-dependent branches, default 1")
      .value("engine", "fast (default), or naive: the plain twin, for checking")
      .flag("no-warp", "simulate every iteration, also those proven to repeat")
      .value("threads", "threads that simulate; the counts are the same for any number (default 1)")
      .value("sample", "simulate some of the sets only, such as 1/16: approximate, with the spread between samples")
      .value("band", "simulate smaller and larger caches as well: edges (default; where one is near), always, never")
      .value("budget", "refuse a simulation expected to take longer: '60 s'");
}

void add_output_options(Arguments& arguments) {
  arguments.value("format", ("output: " + join(format_names()) + "; default table").c_str())
      .value("output,o", "write to this file")
      .flag("verbose,v", "counters by kind and by array");
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const Format* format : all_formats()) names.emplace_back(format->name);
  return names;
}

namespace {

/// "1/16" is 16.
std::optional<unsigned> read_sample(const Arguments& arguments) {
  const std::optional<std::string> text = arguments.text("sample");
  if (!text) return std::nullopt;
  if (arguments.has("engine") && *arguments.text("engine") == "naive") {
    throw InputError({"--sample"}, "the naive engine simulates all sets");
  }
  for (const unsigned one_in : {2U, 4U, 8U, 16U, 32U}) {
    if (*text == "1/" + std::to_string(one_in)) return one_in;
  }
  throw InputError({"--sample"}, "found '" + *text + "', accepted: 1/2, 1/4, 1/8, 1/16, 1/32");
}

}  // namespace

RunRequest read_run_options(const Arguments& arguments, const std::string& workload, const Surroundings& surroundings) {
  if (!arguments.has("machine"))
    throw InputError({"--machine"}, "is missing; 'mansard machines' lists the shipped ones");
  RunRequest request;
  request.version = version;
  request.workload = find_data(DataKind::workload, workload, surroundings.data);
  request.machine = find_data(DataKind::machine, *arguments.text("machine"), surroundings.data);
  request.definitions = read_definitions(arguments.texts("define"));
  request.schedule = read_schedule_options(arguments);
  for (const std::string& text : arguments.texts("set")) request.overrides.push_back(parse_override(text));
  constexpr std::int64_t most_cores = 1024;
  request.cores = static_cast<std::uint32_t>(arguments.count("cores", 1, most_cores).value_or(1));
  request.scaling = arguments.has("scaling");
  if (request.scaling && request.cores == 1) throw InputError({"--scaling"}, "has a meaning with --cores only");
  request.cold = arguments.has("cold");
  request.drain = !arguments.has("no-drain");
  if (!request.drain && !request.cold) throw InputError({"--no-drain"}, "has a meaning with --cold only");
  request.registers = arguments.choice("registers", {"auto", "none"}, "auto") == "auto";
  request.worst_branches = arguments.choice("branches", {"ratio", "worst"}, "ratio") == "worst";
  request.naive = arguments.choice("engine", {"fast", "naive"}, "fast") == "naive";
  request.warp = !arguments.has("no-warp");
  constexpr std::int64_t most_threads = 64;
  request.threads = static_cast<unsigned>(arguments.count("threads", 1, most_threads).value_or(1));
  request.sample = read_sample(arguments);
  constexpr std::int64_t largest_seed = std::numeric_limits<std::int64_t>::max();
  request.seed = static_cast<std::uint64_t>(arguments.count("seed", 0, largest_seed).value_or(1));
  const std::string band = arguments.choice("band", {"edges", "always", "never"}, "edges");
  request.band = band == "edges" ? BandRuns::near_edges : band == "always" ? BandRuns::always : BandRuns::never;
  request.budget = arguments.parsed<Seconds>("budget", parse_time);
  if (surroundings.terminal) {
    request.progress = [&err = surroundings.err](std::uint64_t done, double expected) {
      err << fmt::format("\r{:3.0f} %  {:.3g} accesses\033[K", 100.0 * static_cast<double>(done) / expected,
                         static_cast<double>(done))
          << std::flush;
    };
  }
  request.notice = [&err = surroundings.err](const std::string& text) { err << text << '\n' << std::flush; };
  return request;
}

}  // namespace mansard
