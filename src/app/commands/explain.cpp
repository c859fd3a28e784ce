// mansard explain WORKLOAD -m MACHINE: the byte budget.
#include "study/explain.hpp"

#include <ostream>

#include "app/output.hpp"
#include "app/run_options.hpp"

namespace mansard::commands {

extern const Command explain;

namespace {

int main(const std::vector<std::string>& words, const Surroundings& surroundings) {
  Arguments arguments("mansard explain");
  arguments.operands("WORKLOAD", 1, 1);
  add_run_options(arguments);
  arguments.value("format", "output: table (default) or json").value("output,o", "write to this file");
  arguments.parse(words);
  if (arguments.has("help")) {
    surroundings.out << "usage: mansard " << explain.usage << '\n' << explain.summary << '\n' << arguments.help();
    return 0;
  }
  const bool json = arguments.choice("format", {"table", "json"}, "table") == "json";
  const RunRequest request = read_run_options(arguments, arguments.operands().front(), surroundings);
  if (request.cores > 1) throw InputError({"--cores"}, "explain looks at one core; run shows what several do");
  const Budget budget = mansard::explain(request);
  if (surroundings.terminal) surroundings.err << "\r\033[K" << std::flush;
  write_result(json ? budget_json(budget) : budget_table(budget), arguments.text("output"), surroundings.out);
  return 0;
}

}  // namespace

const Command explain{"explain", "explain WORKLOAD -m MACHINE [-D N=512]… [--schedule S]",
                      "the byte budget: which array moves how much over which boundary, and why", main};

}  // namespace mansard::commands
