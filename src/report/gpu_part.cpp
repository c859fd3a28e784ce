#include "report/gpu_part.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "units/print.hpp"

namespace mansard {
namespace {

double as_double(std::uint64_t n) { return static_cast<double>(n); }

std::string percent(double share) { return fmt::format("{} %", print_number(100 * share)); }

CoalescingSummary coalescing_of(const std::string& array, const ArrayRequests& r, std::uint32_t sector) {
  CoalescingSummary c{array, r, {}, {}};
  const std::uint64_t sectors = r.load_sectors + r.store_sectors;
  if (r.loads + r.stores > 0) c.sectors_per_request = as_double(sectors) / as_double(r.loads + r.stores);
  if (sectors > 0) c.efficiency = as_double(r.distinct_bytes) / (as_double(sectors) * sector);
  return c;
}

std::string launch_text(const GpuNestResult& n) {
  std::string text = fmt::format("{}x{}x{} blocks of {}x{}x{} threads", n.grid[0], n.grid[1], n.grid[2], n.block[0],
                                 n.block[1], n.block[2]);
  if (n.launches > 1) text += fmt::format(", launched {} times", n.launches);
  return text;
}

std::string occupancy_text(const GpuNestResult& n) {
  const Occupancy& o = n.occupancy;
  return fmt::format("{} of {} blocks, {} warps per SM, limited by {}; {} registers a thread ({}){}; {} left as L1",
                     percent(o.share), o.blocks, o.warps, o.limited_by, o.needs.registers,
                     o.needs.registers_are_estimated ? "estimated" : "given",
                     o.needs.shared > 0 ? fmt::format(", {} of shared memory a block", print_size(o.needs.shared)) : "",
                     print_size(n.l1_bytes));
}

std::string coalescing_text(const GpuPart& part) {
  std::string text;
  for (const CoalescingSummary& c : part.coalescing) {
    if (!c.efficiency) continue;
    text += fmt::format("{}{} {} sectors a request, {} used", text.empty() ? "" : "; ", c.array,
                        print_number(*c.sectors_per_request), percent(*c.efficiency));
  }
  return text;
}

std::string time_text(const GpuPart& part) {
  const GpuTime& t = part.time;
  std::string text;
  const auto add = [&](const std::string& what, const std::optional<Seconds>& time) {
    if (time) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, print(*time));
  };
  for (const RooflineLevel& level : t.roofline.levels) add(level.level, level.time);
  add("arithmetic", t.roofline.compute);
  add("issue", t.issue);
  if (t.shared) add("of which shared memory", t.shared);
  add("launch", t.launch);
  if (t.roofline.time) {
    text += fmt::format("; together {} ({} with perfect overlap)", print(*t.roofline.time), print(*t.at_best));
  }
  if (part.nests.size() == 1) {
    text += fmt::format("; {} waves", print_number(t.waves));
    if (t.tail > 1.005)
      text += fmt::format(", the busiest SM has {} more blocks than the average", percent(t.tail - 1));
  }
  if (t.concurrency && *t.concurrency < 0.99) {
    text += fmt::format("; the bytes in flight fetch {} of what the memory can", percent(*t.concurrency));
  }
  return text;
}

std::string interval_text(const Machine& machine, const GpuNestResult& n) {
  if (n.nest.work.updates == 0) return "";
  const auto per_update = [&](std::uint64_t bytes) { return as_double(bytes) / as_double(n.nest.work.updates); };
  std::string text;
  for (std::size_t b = 1; b < n.nest.counters.flows.size(); ++b) {
    const double here = per_update(n.nest.counters.boundary(b).total());
    double low = here;
    double high = here;
    for (const GpuVariant& v : n.variants) {
      low = std::min(low, per_update(v.bytes[b]));
      high = std::max(high, per_update(v.bytes[b]));
    }
    text += fmt::format("{}{} {:.2f} … {:.2f}", text.empty() ? "" : ", ", machine.boundary(b), low, high);
  }
  std::string names;
  for (const GpuVariant& v : n.variants) names += (names.empty() ? "" : ", ") + v.name;
  return text + " B/update with " + names;
}

std::string window_text(const GpuNestResult& n) {
  if (!n.window) return "";
  return fmt::format(
      "{} blocks (a launch has {}), after {} blocks and {} of warming up; between its quarters memory traffic differs "
      "by {}; {}",
      n.window->blocks, n.blocks, n.window->warm_blocks, print(Bytes(as_double(n.window->warm_bytes))),
      percent(n.window->spread),
      n.exact_requests ? "what warps ask for is counted for all blocks" : "scaled up by blocks");
}

}  // namespace

GpuPart gpu_part(const Machine& machine, const Program& program, const std::vector<NestWork>& nests,
                 const Work& total) {
  GpuPart part;
  part.sector = machine.gpu->caches.front().sector;
  std::vector<GpuTime> times;
  std::vector<ArrayRequests> arrays(program.regions.size());
  for (const NestWork& n : nests) {
    times.push_back(n.time);
    const GpuNestResult& r = *n.result;
    for (std::size_t a = 0; a < arrays.size(); ++a) arrays[a] += r.requests.arrays[a];
    part.instructions += r.requests.instructions();
    part.shared_instructions += r.requests.shared_instructions;
    part.shared_passes += r.requests.shared_passes;
    part.shared_least += r.requests.shared_least;
    part.shared_bytes += r.requests.shared_bytes;
    part.between_partitions += r.between_partitions;
    const Flow flow = r.nest.counters.boundary(1);
    part.sectors_read += flow.in() / part.sector;
    part.sectors_written += flow.out() / part.sector;
    part.nests.push_back(r);
  }
  part.time = times.size() == 1 ? times.front() : added(times, total);
  ArrayRequests all;
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    if (arrays[a].loads + arrays[a].stores == 0) continue;
    all += arrays[a];
    part.coalescing.push_back(coalescing_of(program.regions[a].name, arrays[a], part.sector));
  }
  part.efficiency = coalescing_of("", all, part.sector).efficiency;
  return part;
}

std::vector<std::string> profiler_names(const Machine& machine) {
  std::vector<std::string> names(machine.gpu->caches.size() + 1);
  if (machine.name.starts_with("NVIDIA")) {
    names[0] = "bytes that threads ask for; sectors x 32 are l1tex__t_bytes";
    names[1] =
        "lts__t_bytes" +
        std::string(machine.gpu->caches[1].partitions > 1 ? " of _tex (without what passes between partitions)" : "");
    names.back() = "dram__bytes";
  } else if (machine.name.starts_with("AMD")) {
    names[0] = "bytes that threads ask for; lines x 64 are TCP_TOTAL_CACHE_ACCESSES";
    names[1] = "64 x (TCP_TCC reads + writes + atomics)";
    names.back() = "32 and 64-byte requests of TCC to memory";
  }
  return names;
}

std::vector<std::pair<std::string, std::string>> gpu_lines(const Machine& machine, const GpuPart& part) {
  std::vector<std::pair<std::string, std::string>> lines;
  const auto add = [&](const char* label, std::string text) {
    if (!text.empty()) lines.emplace_back(label, std::move(text));
  };
  if (part.nests.size() == 1) {
    add("launch", launch_text(part.nests.front()));
    add("occupancy", occupancy_text(part.nests.front()));
  }
  add("coalescing", coalescing_text(part));
  if (part.shared_instructions > 0) {
    add("shared", fmt::format("{} instructions, {} passes where {} would do without bank conflicts: {}-way on average",
                              part.shared_instructions, part.shared_passes, part.shared_least,
                              print_number(as_double(part.shared_passes) /
                                           as_double(std::max<std::uint64_t>(1, part.shared_least)))));
  }
  add("time", time_text(part));
  if (part.nests.size() == 1) {
    add("interval", interval_text(machine, part.nests.front()));
    add("window", window_text(part.nests.front()));
  }
  return lines;
}

std::vector<std::string> gpu_warnings(const Machine& machine, const GpuPart& part) {
  std::vector<std::string> warnings;
  for (const GpuNestResult& n : part.nests) {
    if (machine.gpu->pages.in_reach && n.pages_per_block > as_double(*machine.gpu->pages.in_reach)) {
      warnings.push_back(fmt::format(
          "{}: a block touches {} pages of {}, more than the {} whose translations are at hand: it takes "
          "longer than its volumes say",
          n.nest.name, n.pages_per_block, print_size(machine.gpu->pages.page), *machine.gpu->pages.in_reach));
    }
    if (n.occupancy.needs.registers > machine.gpu->sm.max_registers) {
      warnings.push_back(
          fmt::format("{}: {} registers a thread are more than the {} that there are: what is spilled is not modelled",
                      n.nest.name, n.occupancy.needs.registers, machine.gpu->sm.max_registers));
    }
    if (n.window) {
      warnings.push_back(
          fmt::format("approximate: {} was simulated in a window of {} blocks (a launch has {}); between its quarters "
                      "memory traffic "
                      "differs by {}",
                      n.nest.name, n.window->blocks, n.blocks, percent(n.window->spread)));
    }
  }
  if (!part.time.missing.empty()) warnings.push_back(part.time.missing);
  return warnings;
}

}  // namespace mansard
