// mansard code WORKLOAD: the scheduled loop nest as C.
#include "schedule/code.hpp"

#include <ostream>

#include "app/data.hpp"
#include "app/loading.hpp"
#include "app/output.hpp"
#include "app/run_options.hpp"

namespace mansard::commands {

extern const Command code;

namespace {

int main(const std::vector<std::string>& words, const Surroundings& surroundings) {
  Arguments arguments("mansard code");
  arguments.operands("WORKLOAD", 1, 1)
      .list("define,D", "set a parameter of the workload: N=512")
      .flag("main", "with a main() that fills the arrays, runs the kernel and prints a checksum")
      .value("output,o", "write to this file");
  add_schedule_options(arguments);
  arguments.parse(words);
  if (arguments.has("help")) {
    surroundings.out << "usage: mansard " << code.usage << '\n' << code.summary << '\n' << arguments.help();
    return 0;
  }
  const WorkloadFile workload =
      load_workload(find_data(DataKind::workload, arguments.operands().front(), surroundings.data));
  const Kernel kernel =
      scheduled_kernel(workload, read_definitions(arguments.texts("define")), read_schedule_options(arguments));
  write_result(to_program(kernel, arguments.has("main")), arguments.text("output"), surroundings.out);
  return 0;
}

}  // namespace

const Command code{"code", "code WORKLOAD [-D N=512]… [--schedule S | --variant V] [--main]",
                   "prints the scheduled loop nest as a complete C function", main};

}  // namespace mansard::commands
