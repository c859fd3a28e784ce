#include "study/explain_gpu.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "study/run_gpu.hpp"
#include "units/print.hpp"

namespace mansard {
namespace {

double as_double(std::uint64_t n) { return static_cast<double>(n); }

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

/// Effects of one run, the largest first.
class Causes {
 public:
  Causes(const Machine& machine, const Budget& budget) : machine_(machine), budget_(budget) {}

  std::vector<std::string> run() {
    const GpuPart& part = *budget_.summary.total.gpu;
    for (const CoalescingSummary& c : part.coalescing) coalescing(c, part.sector);
    for (const BudgetBoundary& b : budget_.boundaries) fills(b);
    std::ranges::sort(found_, std::greater<>{});
    std::vector<std::string> causes;
    for (auto& [bytes, text] : found_) causes.push_back(std::move(text));
    if (part.shared_passes > part.shared_least) {
      causes.push_back(
          fmt::format("shared memory: {} of {} passes are bank conflicts; pad the rows of its buffers by one element",
                      part.shared_passes - part.shared_least, part.shared_passes));
    }
    for (const GpuNestResult& n : part.nests) {
      constexpr double half = 0.5;
      if (n.occupancy.share < half)
        causes.push_back(fmt::format("{}: {} of the threads that fit are resident, limited by {}", n.nest.name,
                                     percent(n.occupancy.share), n.occupancy.limited_by));
    }
    return causes;
  }

 private:
  static constexpr double worth_saying = 0.03;

  void coalescing(const CoalescingSummary& c, std::uint32_t sector) {
    if (!c.efficiency || *c.efficiency > 1 - worth_saying) return;
    const double touched = as_double(c.requests.load_sectors + c.requests.store_sectors) * sector;
    found_.emplace_back(
        touched * (1 - *c.efficiency),
        fmt::format("requests: of the sectors that warps touch of '{}' they use {} ({} sectors a request)", c.array,
                    percent(*c.efficiency), print_number(*c.sectors_per_request)));
  }

  void fills(const BudgetBoundary& b) {
    double all = 0;
    for (const BudgetItem& i : b.items) all += as_double(i.flow.total());
    const auto add = [&](double bytes, const std::string& text) {
      if (all > 0 && bytes > worth_saying * all)
        found_.emplace_back(bytes, fmt::format("{}: {} of the bytes are {}", b.name, percent(bytes / all), text));
    };
    for (const BudgetItem& i : b.items) {
      const auto conflict = static_cast<double>(i.conflict);
      const double again = as_double(i.capacity) + std::min(0.0, conflict);
      const double size = as_double(std::max<std::uint64_t>(i.compulsory, 1));
      add(again, fmt::format("'{}' fetched again, {:.1f} times in all: {}", i.array, (again + size) / size, remedy(b)));
      add(conflict,
          fmt::format("conflicts of '{0}' in {1}: its lines meet in sets of {1} while others have room, which "
                      "padding does not change since the indices are hashed; a smaller working set does",
                      i.array, b.level));
      add(as_double(i.flow.write_allocate),
          fmt::format("read since sectors of '{}' leave {} written in part; let a warp write whole sectors", i.array,
                      b.level));
    }
  }

  [[nodiscard]] std::string remedy(const BudgetBoundary& b) const {
    if (b.level == machine_.level(0))
      return "the multiprocessors each fetch what they share, or it does not stay in the L1; other block shapes, or "
             "staging into shared memory, change that";
    return fmt::format(
        "it does not stay in {} until other blocks need it; blocks that are larger along the slow index, or another "
        "order of blocks, change that",
        b.level);
  }

  const Machine& machine_;
  const Budget& budget_;
  std::vector<std::pair<double, std::string>> found_;
};

}  // namespace

Budget explain_gpu(const RunRequest& request, const Machine& machine) {
  Budget budget;
  const GpuRun run = prepare_gpu(request, machine);
  const GpuSimulation simulation = simulate_gpu_run(request, machine, run, {}, true);
  budget.summary = summarize_gpu_run(request, machine, run, simulation);
  const PartSummary& total = budget.summary.total;
  for (std::size_t b = 1; b < total.levels.size(); ++b) {
    BudgetBoundary boundary;
    boundary.level = total.levels[b - 1].roof.level;
    boundary.name = total.levels[b].roof.boundary;
    for (const ArraySummary& array : total.arrays) {
      const auto region = std::ranges::find(run.program.regions, array.name, &Region::name);
      if (region->shared) continue;
      const auto index = static_cast<std::size_t>(region - run.program.regions.begin());
      Flow associative;
      for (const GpuNestResult& nest : simulation.nests) {
        if (!nest.associative.empty()) associative += nest.associative[b - 1][index];  // it launched blocks
      }
      boundary.items.push_back(budget_item(array.name, array.flows[b], associative, region->bytes));
    }
    budget.boundaries.push_back(std::move(boundary));
  }
  const auto& first = total.levels.front().roof;
  if (first.intensity) budget.naive_intensity = first.intensity->value;
  budget.causes = Causes(machine, budget).run();
  return budget;
}

}  // namespace mansard
