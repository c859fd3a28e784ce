// mansard machines [NAME]: the shipped machines, or one of them as loaded.
#include <fmt/format.h>

#include <ostream>

#include "app/arguments.hpp"
#include "app/command.hpp"
#include "app/data.hpp"
#include "app/loading.hpp"
#include "report/gpu_sheet.hpp"
#include "units/print.hpp"

namespace mansard::commands {

extern const Command machines;

namespace {

const char* word(Role role) {
  switch (role) {
    case Role::nine:
      return "NINE";
    case Role::inclusive:
      return "inclusive";
    case Role::victim:
      return "victim";
  }
  return "";
}

std::string describe(const CacheLevel& cache) {
  return fmt::format("{:4} {:9} {} sets x {} ways x {} B, {}, {}, write-{}{}, shared by {}{}\n", cache.name,
                     print_size(cache.size), cache.sets, cache.ways, cache.line, cache.replacement, word(cache.role),
                     cache.write_back ? "back" : "through", cache.allocate ? "" : ", no write-allocate",
                     cache.shared_by, cache.assumed ? " (ways or sets assumed)" : "");
}

std::string cpu_sheet(const Machine& machine) {
  std::string text = fmt::format("{}, {} socket(s) x {} core(s), {} memory domain(s) per socket\n\n",
                                 print(machine.clock), machine.sockets, machine.cores, machine.domains);
  for (const CacheLevel& cache : machine.caches) text += describe(cache);
  text += fmt::format("{:4} latency {}, specified {} per socket\n", machine.memory.name,
                      machine.memory.latency ? print(*machine.memory.latency) : "unknown",
                      machine.memory.spec ? print(*machine.memory.spec) : "unknown");
  const auto figure = [](const std::optional<BytesPerSecond>& b) { return b ? print(*b) : std::string("unknown"); };
  for (const auto& [mix, b] : machine.memory.bandwidth) {
    text += fmt::format("     {:7} one core {}, one domain {}, one socket {}\n", mix, figure(b.core), figure(b.domain),
                        figure(b.socket));
  }
  return text;
}

std::string describe(const Machine& machine) {
  std::string text = fmt::format("{}\n{}\n", machine.id, machine.name);
  text += machine.gpu ? "\n" + gpu_sheet(machine) : cpu_sheet(machine);
  if (!machine.sources.empty()) text += "\nSources\n";
  for (const auto& [what, source] : machine.sources) text += fmt::format("  {}: {}\n", what, source);
  for (const std::string& warning : machine.warnings) text += fmt::format("warning: {}\n", warning);
  return text;
}

int main(const std::vector<std::string>& words, const Surroundings& surroundings) {
  Arguments arguments("mansard machines");
  arguments.list("set", "override a value: caches.L2.size=2MiB").operands("NAME", 0, 1);
  arguments.parse(words);
  if (arguments.has("help")) {
    surroundings.out << "usage: mansard " << machines.usage << '\n' << machines.summary << '\n' << arguments.help();
    return 0;
  }
  if (arguments.operands().empty()) {
    for (const auto& file : list_data(DataKind::machine, surroundings.data)) {
      const Machine machine = read_machine(file, {});
      surroundings.out << fmt::format("{:32} {}\n", machine.id, machine.name);
    }
    return 0;
  }
  const auto file = find_data(DataKind::machine, arguments.operands().front(), surroundings.data);
  surroundings.out << describe(read_machine(file, arguments.texts("set")));
  return 0;
}

}  // namespace

const Command machines{"machines", "machines [NAME]", "lists the shipped machines, or describes one", main};

}  // namespace mansard::commands
