// mansard check FILE…: reads machine and workload files and reports every mistake.
#include <fmt/format.h>

#include <ostream>

#include "app/arguments.hpp"
#include "app/command.hpp"
#include "app/data.hpp"
#include "app/loading.hpp"
#include "input/yaml.hpp"
#include "schedule/step.hpp"
#include "workload/load.hpp"

namespace mansard::commands {

extern const Command check;

namespace {

/// What the file is, in a few words; throws what is wrong with it.
std::string examine(const std::filesystem::path& file, const Definitions& definitions) {
  if (file.extension() != ".c") {
    const YamlNode root = load_yaml(file);
    if (root.find("code") == nullptr && (root.find("caches") != nullptr || root.find("kind") != nullptr)) {
      const Machine machine = read_machine(file, {});
      return fmt::format("machine '{}', {} cache levels", machine.name,
                         machine.gpu ? machine.gpu->caches.size() : machine.caches.size());
    }
  }
  const WorkloadFile workload = load_workload(file);
  Kernel kernel = make_kernel(workload, definitions);
  const Kernel plain = kernel;
  const auto apply = [](Kernel& to, const std::vector<SourceText>& texts) {
    std::vector<StepCall> steps;
    for (const SourceText& text : texts) {
      for (StepCall& call : parse_schedule(text)) steps.push_back(std::move(call));
    }
    apply_schedule(to, steps);
  };
  apply(kernel, workload.schedule);
  for (const NamedSchedule& named : workload.schedules) {
    Kernel variant = plain;
    apply(variant, named.steps);
  }
  return fmt::format("workload '{}', {} arrays, {} nests", workload.name, kernel.arrays.size(), kernel.nests.size());
}

int main(const std::vector<std::string>& words, const Surroundings& surroundings) {
  constexpr std::size_t most_files = 10000;
  Arguments arguments("mansard check");
  arguments.list("define,D", "set a parameter: N=512").operands("FILE", 1, most_files);
  arguments.parse(words);
  if (arguments.has("help")) {
    surroundings.out << "usage: mansard " << check.usage << '\n' << check.summary << '\n' << arguments.help();
    return 0;
  }
  const Definitions definitions = read_definitions(arguments.texts("define"));
  std::vector<Diagnostic> mistakes;
  for (const std::string& file : arguments.operands()) {
    try {
      if (!std::filesystem::is_regular_file(file)) throw InputError({file}, "no such file");
      const std::string found = examine(file, definitions);
      surroundings.out << file << ": ok, " << found << '\n';
    } catch (const InputError& error) {
      mistakes.insert(mistakes.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!mistakes.empty()) throw InputError(std::move(mistakes));
  return 0;
}

}  // namespace

const Command check{"check", "check FILE… [-D N=512]…", "reads machine and workload files and reports every mistake",
                    main};

}  // namespace mansard::commands
