// mansard run WORKLOAD -m MACHINE: simulate, model, report.
#include <ostream>
#include <string_view>

#include "app/output.hpp"
#include "app/run_options.hpp"
#include "report/format.hpp"

namespace mansard::commands {

extern const Command run;

namespace {

int main(const std::vector<std::string>& words, const Surroundings& surroundings) {
  Arguments arguments("mansard run");
  arguments.operands("WORKLOAD", 1, 1);
  add_run_options(arguments);
  add_output_options(arguments);
  arguments.parse(words);
  if (arguments.has("help")) {
    surroundings.out << "usage: mansard " << run.usage << '\n' << run.summary << '\n' << arguments.help();
    return 0;
  }
  const Format* format = find_format(arguments.choice("format", format_names(), "table"));
  RunRequest request = read_run_options(arguments, arguments.operands().front(), surroundings);
  request.layer_limits = arguments.has("verbose") || std::string_view(format->name) == "json";  // who prints them
  const Summary summary = mansard::run(request);
  if (surroundings.terminal) surroundings.err << "\r\033[K" << std::flush;  // the progress line
  write_result(format->render(summary, {arguments.has("verbose")}), arguments.text("output"), surroundings.out);
  return 0;
}

}  // namespace

const Command run{"run", "run WORKLOAD -m MACHINE [-D N=512]… [--schedule S] [--set path=value]…",
                  "simulates a workload on a machine: traffic, intensity, roofline and ECM time", main};

}  // namespace mansard::commands
