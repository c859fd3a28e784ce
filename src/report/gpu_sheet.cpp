#include "report/gpu_sheet.hpp"

#include <fmt/format.h>

#include "units/print.hpp"

namespace mansard {
namespace {

std::string line(const std::string& label, const std::string& text) { return fmt::format("{:10} {}\n", label, text); }

template <class T>
std::string known(const std::optional<T>& value) {
  return value ? print(*value) : "unknown";
}

/// "read 866 GB/s, scale 804 GB/s"
template <class T>
std::string list(const std::map<std::string, T>& figures) {
  std::string text;
  for (const auto& [name, figure] : figures) text += (text.empty() ? "" : ", ") + name + " " + print(figure);
  return text.empty() ? "unknown" : text;
}

std::string of_sm(const Multiprocessor& sm, std::uint32_t dies) {
  std::string text = line("SMs", fmt::format("{}{}, warps of {} threads", sm.count,
                                             dies > 1 ? fmt::format(" on {} dies", dies) : "", sm.warp));
  text += line("occupancy",
               fmt::format("at most {} threads, {} blocks (of {} threads) and {} registers ({} of a thread)",
                           sm.max_threads, sm.max_blocks, sm.max_block_threads, sm.registers, sm.max_registers));
  const SharedMemory& shared = sm.shared;
  text += line("shared", fmt::format("{} of an SM, {} of a block, {} banks of {} B, {}{}", print_size(shared.size),
                                     print_size(shared.per_block), shared.banks, shared.bank, known(shared.bandwidth),
                                     shared.carved_from_l1 ? ", carved from the first cache" : ""));
  text += line("load/store", fmt::format("{} words of 4 B a cycle{}, {} banks of {} B, {} lines looked up a cycle",
                                         sm.load_store_lanes,
                                         sm.double_lanes ? fmt::format(" ({} of doubles)", *sm.double_lanes) : "",
                                         sm.l1_banks, sm.l1_bank, print_number(sm.tag_lines)));
  text += line("issue", sm.issue ? fmt::format("{} warp instructions a cycle", print_number(*sm.issue)) : "unknown");
  return text;
}

std::string of_cache(const GpuCache& cache) {
  const char* scope = cache.scope == CacheScope::sm    ? "of each SM"
                      : cache.scope == CacheScope::die ? "of each die"
                                                       : "of the GPU";
  std::string text = fmt::format("{} {}, {} ways x {} B{}, write-{}{}", print_size(cache.size), scope, cache.ways,
                                 cache.line, cache.sector < cache.line ? fmt::format(" in {} B", cache.sector) : "",
                                 cache.write_back ? "back" : "through", cache.allocate ? "" : ", no write-allocate");
  if (cache.memory_side) text += ", memory-side";
  if (cache.usable) text += ", usable " + print_size(*cache.usable);
  if (cache.partitions > 1)
    text += fmt::format(", {} partitions{}", cache.partitions, cache.duplicated ? " that keep copies" : "");
  if (cache.assumed) text += " (ways assumed)";
  text = line(cache.name, text);
  if (cache.bandwidth) text += line("", print(*cache.bandwidth) + " for each SM");
  if (!cache.measured.empty()) text += line("", "measured: " + list(cache.measured));
  if (cache.latency) {
    text += line(
        "", fmt::format(
                "latency {} cycles{}", print_number(*cache.latency),
                cache.far_latency ? fmt::format(", to the other partition {}", print_number(*cache.far_latency)) : ""));
  }
  return text;
}

std::string of_memory(const GpuMemory& memory) {
  return line(memory.name, "specified " + known(memory.spec)) + line("", "measured: " + list(memory.measured)) +
         line("", fmt::format("latency under load {}, reads of {} B, writes of {} B", known(memory.latency),
                              memory.fetch, memory.store));
}

}  // namespace

std::string gpu_sheet(const Machine& machine) {
  const Gpu& gpu = *machine.gpu;
  std::string text = line("clock", print(machine.clock)) + of_sm(gpu.sm, gpu.dies);
  for (const GpuCache& cache : gpu.caches) text += of_cache(cache);
  text += of_memory(gpu.memory);
  text += line("vector", list(gpu.rates.vector));
  text += line("tensor", list(gpu.rates.tensor));
  text += line("pages", fmt::format("of {}, {} at hand", print_size(gpu.pages.page),
                                    gpu.pages.in_reach ? std::to_string(*gpu.pages.in_reach) : "an unknown number"));
  text += line("overlap", fmt::format("{} of the other times is not hidden", print_number(gpu.overlap)));
  text += line("launch", known(gpu.launch));
  return text;
}

}  // namespace mansard
