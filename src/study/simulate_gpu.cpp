#include "study/simulate_gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "study/gpu_nest.hpp"
#include "study/gpu_scale.hpp"
#include "study/gpu_window.hpp"

namespace mansard {
namespace {

constexpr double passes = 4;  // in which a nest is simulated whole, at most: two in each order of warps
double as_double(std::uint64_t n) { return static_cast<double>(n); }

constexpr double less = 0.85, more = 1.15;  // capacities between which hardware may behave

// Of other capacities one set in eight is simulated once there are so many requests: their sets are alike then.
constexpr double many_lines = 1e6;
constexpr std::uint32_t sampled = 8;

/// REG-L1 and the requests, which caches do not know.
void add_requests(Counters& counters, const Requests& requests, const Program& program) {
  for (std::size_t a = 0; a < requests.arrays.size(); ++a) {
    const ArrayRequests& r = requests.arrays[a];
    if (program.regions[a].shared) continue;
    counters.flows[0][a].demand_fills = r.load_bytes;
    counters.flows[0][a].write_back = r.store_bytes;
    counters.loads += r.loads;
    counters.stores += r.stores;
    counters.line_lookups += r.load_sectors + r.store_sectors;
  }
}

struct Simulator {
  const Program& program;
  const Gpu& gpu;
  const GpuSimulateOptions& options;
  std::uint64_t instructions = 0;
  double lines = 0;  ///< that all launches touch, instruction by instruction

  /// The machine's caches, with variants other capacities, and where asked for each one fully associative.
  [[nodiscard]] std::vector<CacheChange> changes(bool variants) const {
    std::vector<CacheChange> all{{}};
    const std::uint32_t one_in = lines > many_lines ? sampled : 1;
    if (variants) all.insert(all.end(), {{.capacity = less, .one_in = one_in}, {.capacity = more, .one_in = one_in}});
    for (std::size_t k = 0; options.associative && k < gpu.caches.size(); ++k) all.push_back({.associative = k});
    return all;
  }

  /// What was counted with each change but the first.
  void add_changes(GpuNestResult& result, const std::vector<CacheChange>& changes,
                   const std::vector<Counters>& counters) const {
    for (std::size_t c = 1; c < changes.size(); ++c) {
      if (const auto cache = changes[c].associative) {
        result.associative.push_back(counters[c].flows[*cache + 1]);
      } else {
        add_variant(result, capacity_name(changes[c].capacity), counters[c]);
      }
    }
  }

  GpuNestResult described(const MappedNest& k) const {
    GpuNestResult result;
    result.nest.name = program.nests[k.launch.nest].name;
    result.nest.counters = Counters(gpu.caches.size(), program.regions.size());
    result.requests = Requests(program);
    result.occupancy = k.occupancy;
    result.block = k.launch.mapping->block;
    result.launches = k.launches;
    result.blocks = k.grid.blocks();
    result.l1_bytes = k.l1_bytes;
    for (std::size_t a = 0; a < 3; ++a) result.grid[a] = k.grid.trips[a].count;
    result.thread_bytes = thread_bytes(program, k.launch);
    if (k.grid.blocks() > 0) result.pages_per_block = pages_of(k, program, gpu.pages.page, gpu.caches.front().line);
    return result;
  }

  void finish(GpuNestResult& result, const MappedNest& k) const {
    result.nest.executions = result.requests.lanes;
    result.nest.work = work_of(program.nests[k.launch.nest], result.requests.lanes);
    add_requests(result.nest.counters, result.requests, program);
  }

  static std::string capacity_name(double capacity) {
    return fmt::format("capacities behind L1 at {:.0f} %", capacity * 100);
  }

  void add_variant(GpuNestResult& result, std::string name, const Counters& counters) const {
    GpuVariant variant{std::move(name), {}};
    for (std::size_t b = 0; b < counters.flows.size(); ++b) variant.bytes.push_back(counters.boundary(b).total());
    result.variants.push_back(std::move(variant));
  }

  using Kernels = std::vector<std::unique_ptr<MappedNest>>;

  /// All nests from their first block to their last, in order; what each of them counts, of shared memory where asked.
  std::vector<GpuCounts> sweep(GpuRunner& runner, const Kernels& kernels, bool other_order, bool with_shared) const {
    std::vector<GpuCounts> all;
    for (std::size_t n = 0; n < kernels.size(); ++n) {
      const MappedNest& k = *kernels[n];
      BlockOptions blocks = k.options;
      if (other_order) blocks.order = other_than(blocks.order);
      blocks.with_shared = with_shared;
      const GpuCounts before = runner.counts();
      std::vector<Int> environment(program.slots);
      each_launch(k.launch, environment, [&] {
        runner.launch(k.l1_bytes);
        runner.run(*k.code, blocks, grid_of(k.launch, environment), environment);
      });
      if (options.cold && options.drain && n + 1 == kernels.size()) runner.drain();
      all.push_back(runner.counts());
      all.back() -= before;
    }
    return all;
  }

  /// In a steady state, the second sweep counts; the other order of warps finds what they leave.
  void whole(const Kernels& kernels, std::vector<GpuNestResult>& results) {
    const std::vector<CacheChange> all = changes(options.variants);
    GpuRunner runner(program, gpu, all);
    if (!options.cold) sweep(runner, kernels, false, false);
    const std::vector<GpuCounts> steady = sweep(runner, kernels, false, true);
    for (std::size_t n = 0; n < kernels.size(); ++n) {
      results[n].nest.counters = steady[n].counters[0];
      results[n].requests = steady[n].requests;
      results[n].between_partitions = steady[n].between;
      finish(results[n], *kernels[n]);
      add_changes(results[n], all, steady[n].counters);
    }
    instructions += runner.counts().instructions;
    if (!options.variants) return;
    std::optional<GpuRunner> fresh;
    if (options.cold) {
      fresh.emplace(program, gpu, std::vector<CacheChange>{{}});
    } else {
      runner.keep_first_change();
    }
    const std::vector<GpuCounts> other = sweep(fresh ? *fresh : runner, kernels, true, false);
    for (std::size_t n = 0; n < kernels.size(); ++n) {
      add_variant(results[n], order_name(other_than(kernels[n]->options.order)), other[n].counters[0]);
      instructions += other[n].instructions;
    }
  }

  static WarpOrder other_than(WarpOrder order) {
    return order == WarpOrder::random ? WarpOrder::lockstep : WarpOrder::random;
  }

  static std::string order_name(WarpOrder order) {
    return order == WarpOrder::random ? "warps in random order" : "warps in lockstep";
  }

  /// The last blocks of a launch, where they leave multiprocessors idle and there are few waves before: what all blocks
  /// share is read for them once more.
  static std::uint64_t last_wave(const MappedNest& k) {
    constexpr std::uint64_t many_waves = 32;
    const std::uint64_t resident = std::uint64_t{k.options.sms} * k.options.blocks_per_sm;
    const std::uint64_t blocks = k.grid.blocks();
    return blocks > resident && blocks < many_waves * resident ? blocks % resident : 0;
  }

  /// In instructions: what the budget allows, but so many that each resident block could run once where that is not too
  /// many. A shorter window would see some of a thread's instructions more often than others.
  [[nodiscard]] double window_length(const MappedNest& k) const {
    const double most = static_cast<double>(options.budget) / 2;
    const std::uint64_t resident = std::uint64_t{k.options.sms} * k.options.blocks_per_sm;
    const double wave = as_double(k.block.instructions()) * as_double(std::min(resident, k.grid.blocks()));
    return std::max(most / k.cost, std::min(most, wave));
  }

  /// Is simulating all blocks cheap, or at least no dearer than windows, of which each warms the caches up anew?
  [[nodiscard]] bool goes_whole(const Kernels& kernels) const {
    const double orders = options.variants ? 2 : 1;
    double work = 0;
    double whole = 0;
    double windows = 0;
    for (const auto& kernel : kernels) {
      const MappedNest& k = *kernel;
      work += k.work;
      if (k.grid.blocks() == 0) continue;
      whole += (options.cold ? orders : orders + 1) * as_double(k.block.instructions()) * as_double(k.blocks);
      const double warm_up = as_double(warm_up_bytes(gpu)) / bytes_per_instruction(k);
      windows += (orders + (last_wave(k) > 0 ? 1 : 0)) * (warm_up + window_length(k));
    }
    return work * passes <= static_cast<double>(options.budget) || whole <= windows;
  }

  /// At most so many go beyond the L1.
  [[nodiscard]] double bytes_per_instruction(const MappedNest& k) const {
    std::uint64_t sectors = 1;
    for (const ArrayRequests& array : k.block.arrays) sectors += array.load_sectors + array.store_sectors;
    return as_double(sectors * gpu.caches.front().sector) /
           as_double(std::max<std::uint64_t>(1, k.block.instructions()));
  }

  /// A window over some blocks of a nest, scaled up to what a share of it asks for, by change.
  std::vector<Counters> window(const MappedNest& k, const BlockOptions& blocks, const std::vector<CacheChange>& changes,
                               const GpuRunner::Blocks& part, const Requests& wanted, GpuRunner::Window& window) {
    const auto length = static_cast<std::uint64_t>(window_length(k));
    GpuRunner runner(program, gpu, changes);
    runner.launch(k.l1_bytes);
    window = runner.window(*k.code, blocks, k.grid, k.environment, length, part);
    instructions += runner.counts().instructions;
    const double factor = as_double(wanted.instructions()) / as_double(window.counts.requests.instructions());
    std::vector<Counters> all;
    for (const Counters& counters : window.counts.counters) {
      all.push_back(times(scaled_up(counters, window.counts.requests, wanted, factor, gpu.caches.front().sector),
                          launches_like_this(k)));
    }
    return all;
  }

  /// A nest that is too large to be simulated whole.
  void part(const MappedNest& k, GpuNestResult& result) {
    const std::optional<Requests> counted = census(*k.code, k.grid, k.environment, gpu.caches.front().sector);
    result.exact_requests = counted.has_value();
    Requests whole = counted ? *counted : counted_blocks(k, result.exact_requests);
    const std::uint64_t blocks = k.grid.blocks();
    const std::uint64_t last = last_wave(k);
    const Requests before = last == 0 ? whole : scaled(whole, as_double(blocks - last) / as_double(blocks));
    GpuRunner::Window seen;
    std::vector<Counters> of_last;  // by change, capacities apart: those of the machine stand for the others
    if (last > 0) {
      of_last = window(k, k.options, changes(false), {blocks - last, blocks, blocks - last},
                       scaled(whole, as_double(last) / as_double(blocks)), seen);
    }
    if (options.variants) {
      BlockOptions other = k.options;
      other.order = other_than(other.order);
      Counters all = window(k, other, {{}}, {0, blocks, blocks / 3}, before, seen).front();
      if (last > 0) all += of_last.front();
      add_variant(result, order_name(other.order), all);
    }
    const std::vector<CacheChange> here = changes(options.variants);
    std::vector<Counters> all = window(k, k.options, here, {0, blocks, blocks / 3}, before, seen);
    if (last > 0) {
      const std::size_t capacities = all.size() - of_last.size();
      for (std::size_t c = 0; c < all.size(); ++c) all[c] += of_last[c <= capacities ? 0 : c - capacities];
    }
    add_changes(result, here, all);
    result.nest.counters = std::move(all.front());
    result.window = GpuWindow{seen.warm_blocks, seen.counts.blocks, seen.warm_bytes, seen.spread};
    const double factor = as_double(whole.instructions()) / as_double(seen.counts.requests.instructions());
    result.between_partitions =
        static_cast<std::uint64_t>(as_double(seen.counts.between) * factor) * launches_like_this(k);
    result.requests = std::move(whole);
    result.requests *= launches_like_this(k);
    finish(result, k);
  }

  /// What the blocks of a launch ask for where they differ: of all of them, or of as many as the budget allows, evenly
  /// spread and scaled up.
  Requests counted_blocks(const MappedNest& k, bool& exact) const {
    const auto& trips = k.grid.trips;
    const std::uint64_t blocks = k.grid.blocks();
    const auto wanted = static_cast<std::uint64_t>(static_cast<double>(k.block.instructions()) * k.cost);
    std::uint64_t stride = 1 + std::max<std::uint64_t>(1, wanted) * blocks / options.budget;
    // Each place of a row and of a column as often: those at their ends are not like the others.
    while (stride > 1 && (std::gcd(stride, trips[0].count) > 1 || std::gcd(stride, trips[1].count) > 1)) ++stride;
    Requests sum(program);
    std::uint64_t counted = 0;
    for (std::uint64_t b = stride / 2; b < blocks; b += stride, ++counted) {
      sum += requests_of_block(
          *k.code, k.grid, k.environment,
          {b % trips[0].count, b / trips[0].count % trips[1].count, b / trips[0].count / trips[1].count});
    }
    if (counted == 0) {
      sum = k.block;
      counted = 1;
    }
    exact = stride == 1;
    return exact ? sum : scaled(sum, static_cast<double>(blocks) / static_cast<double>(counted));
  }

  static std::uint64_t launches_like_this(const MappedNest& k) {
    return std::max<std::uint64_t>(1, (k.blocks + k.grid.blocks() / 2) / k.grid.blocks());
  }
};

}  // namespace

GpuSimulation simulate_gpu(const Program& program, const Gpu& gpu, const GpuSimulateOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::unique_ptr<MappedNest>> kernels;
  GpuSimulation result;
  Simulator simulator{program, gpu, options};
  for (std::size_t n = 0; n < program.nests.size(); ++n) {
    kernels.push_back(mapped_nest(program, n, gpu, options.seed));
    result.nests.push_back(simulator.described(*kernels.back()));
    simulator.lines += as_double(kernels.back()->block.lines) * as_double(kernels.back()->blocks);
  }
  if (simulator.goes_whole(kernels)) {
    simulator.whole(kernels, result.nests);
  } else {
    for (std::size_t n = 0; n < kernels.size(); ++n) {
      if (kernels[n]->grid.blocks() > 0) simulator.part(*kernels[n], result.nests[n]);
    }
  }
  result.instructions = simulator.instructions;
  result.seconds = Seconds(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return result;
}

}  // namespace mansard
