// mansard workloads [NAME]: the shipped workloads, or one of them with its code.
#include <fmt/format.h>

#include <ostream>

#include "app/arguments.hpp"
#include "app/command.hpp"
#include "app/data.hpp"
#include "workload/load.hpp"

namespace mansard::commands {

extern const Command workloads;

namespace {

std::string describe(const WorkloadFile& workload) {
  std::string text = fmt::format("{}\n{}\n\nParameters:", workload.id, workload.description);
  for (const ParameterDefault& p : workload.parameters) text += fmt::format(" {}={}", p.name, p.value.text);
  text += "\n\n" + workload.code.text;
  if (text.back() != '\n') text += '\n';
  return text;
}

int main(const std::vector<std::string>& words, const Surroundings& surroundings) {
  Arguments arguments("mansard workloads");
  arguments.operands("NAME", 0, 1);
  arguments.parse(words);
  if (arguments.has("help")) {
    surroundings.out << "usage: mansard " << workloads.usage << '\n' << workloads.summary << '\n' << arguments.help();
    return 0;
  }
  if (arguments.operands().empty()) {
    for (const auto& file : list_data(DataKind::workload, surroundings.data)) {
      const WorkloadFile workload = load_workload(file);
      surroundings.out << fmt::format("{:24} {}\n", workload.id, workload.description);
    }
    return 0;
  }
  surroundings.out << describe(
      load_workload(find_data(DataKind::workload, arguments.operands().front(), surroundings.data)));
  return 0;
}

}  // namespace

const Command workloads{"workloads", "workloads [NAME]", "lists the shipped workloads, or shows one with its code",
                        main};

}  // namespace mansard::commands
