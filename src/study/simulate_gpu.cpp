#include "study/simulate_gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "study/gpu_window.hpp"

namespace mansard {
namespace {

constexpr double passes = 4;  // in which a nest is simulated whole: two to become steady, in two orders
double as_double(std::uint64_t n) { return static_cast<double>(n); }

constexpr double less = 0.85, more = 1.15;  // capacities between which hardware may behave

/// A nest, ready to be simulated. Warps keep references to the code, which keeps one to the launch.
struct MappedNest {
  Launch launch;
  std::unique_ptr<WarpCode> code;
  Occupancy occupancy;
  std::uint64_t l1_bytes = 0;
  BlockOptions options;
  std::vector<Int> environment;            ///< of a launch in the middle of the host loops
  Grid grid;                               ///< of that launch
  std::uint64_t launches = 0, blocks = 0;  ///< blocks of all launches
  Requests block;                          ///< of a block in the middle of the grid
  double cost = 1;                         ///< of simulating an instruction, over one that touches up to three lines
  double work = 0;                         ///< instructions of all launches times their cost, about
};

LanePath path_of(const Gpu& gpu) {
  const GpuCache& first = gpu.caches.front();
  const Multiprocessor& sm = gpu.sm;
  return {first.line,    first.sector, sm.load_store_lanes, sm.double_lanes.value_or(sm.load_store_lanes),
          sm.l1_banks,   sm.l1_bank,   sm.tag_lines,        sm.shared.banks,
          sm.shared.bank};
}

/// Of all caches together.
double lines_of(const Gpu& gpu) {
  double lines = 0;
  for (const GpuCache& cache : gpu.caches) {
    const double instances = cache.scope == CacheScope::sm    ? gpu.sm.count
                             : cache.scope == CacheScope::die ? gpu.dies
                                                              : 1;
    lines += instances * as_double(cache.size) / cache.line;
  }
  return lines;
}

/// Memory instructions by which a block may drift: as many as keep all resident blocks within a quarter of the L2.
double drift_of(const Gpu& gpu, const Occupancy& occupancy) {
  const GpuCache& shared = gpu.caches[std::min<std::size_t>(1, gpu.caches.size() - 1)];
  const double per_instruction = static_cast<double>(gpu.sm.count) * occupancy.warps * shared.line;
  const double instances = shared.scope == CacheScope::die ? gpu.dies : 1;
  return static_cast<double>(shared.size) * instances / 4 / per_instruction;
}

std::unique_ptr<MappedNest> kernel_of(const Program& program, std::size_t n, const Gpu& gpu,
                                      const GpuSimulateOptions& options) {
  auto launch = launch_of(program, n);
  if (!launch) {
    throw InputError({"gpu"}, fmt::format("nest {} is not mapped to threads: a step of the schedule does that, as in "
                                          "--schedule 'gpu(x: i, block: 256)'",
                                          program.nests[n].name));
  }
  auto kernel =
      std::make_unique<MappedNest>(MappedNest{std::move(*launch), nullptr, {}, 0, {}, {}, {}, 0, 0, Requests(program)});
  MappedNest& k = *kernel;
  k.occupancy = occupancy_of(gpu, needs_of(program, k.launch), k.launch.mapping->at);
  k.l1_bytes = l1_bytes(gpu, k.occupancy);
  k.code = std::make_unique<WarpCode>(program, k.launch, gpu.sm.warp, path_of(gpu));
  k.options.sms = gpu.sm.count;
  k.options.dies = gpu.dies;
  k.options.blocks_per_sm = k.occupancy.blocks;
  k.options.order = k.launch.mapping->updates_per_thread > 1 ? WarpOrder::random : WarpOrder::lockstep;
  k.options.drift = drift_of(gpu, k.occupancy);
  k.options.seed = options.seed;
  std::vector<Int> environment(program.slots);
  each_launch(k.launch, environment, [&] { ++k.launches, k.blocks += grid_of(k.launch, environment).blocks(); });
  std::uint64_t index = 0;
  each_launch(k.launch, environment, [&] {
    if (index++ != k.launches / 2) return;
    k.environment = environment;
    k.grid = grid_of(k.launch, environment);
  });
  if (k.launches == 0 || k.grid.blocks() == 0) return kernel;
  const std::array<std::uint64_t, 3> middle{k.grid.trips[0].count / 2, k.grid.trips[1].count / 2,
                                            k.grid.trips[2].count / 2};
  k.block = requests_of_block(*k.code, k.grid, k.environment, middle);
  const auto instructions = static_cast<double>(std::max<std::uint64_t>(1, k.block.instructions()));
  k.cost = std::max(1.0, static_cast<double>(k.block.lines) / instructions / 3);
  // Lanes that are looked at one by one, and caches that the machine which simulates has to fetch from its memory.
  constexpr double one_by_one = 2.5;
  constexpr double lines_at_hand = 0.25e6;
  if (k.code->is_irregular()) k.cost *= one_by_one;
  k.cost *= std::max(1.0, lines_of(gpu) / lines_at_hand);
  k.work = instructions * k.cost * static_cast<double>(k.blocks);
  return kernel;
}

std::uint64_t scaled(std::uint64_t part, std::uint64_t whole, std::uint64_t of) {
  if (of == 0) return 0;
  return static_cast<std::uint64_t>(
      std::llround(static_cast<long double>(part) * static_cast<long double>(whole) / static_cast<long double>(of)));
}

/// What the window counted, for the whole nest: bytes grow with the sectors that the array's loads or stores ask for.
/// Loads and stores of which the window saw none, as at the ends of long blocks, are taken to move each sector once.
Counters scaled_up(const Counters& window, const Requests& part, const Requests& whole, double factor,
                   std::uint64_t sector) {
  Counters result = window;
  const auto grow = [factor](std::uint64_t& n) {
    n = static_cast<std::uint64_t>(std::llround(static_cast<double>(n) * factor));
  };
  for (std::size_t b = 1; b < result.flows.size(); ++b) {
    for (std::size_t a = 0; a < result.flows[b].size(); ++a) {
      Flow& flow = result.flows[b][a];
      const ArrayRequests& p = part.arrays[a];
      const ArrayRequests& w = whole.arrays[a];
      if (p.load_sectors == 0) flow.demand_fills = w.load_sectors * sector;
      if (p.store_sectors == 0) (b == 1 ? flow.write_through : flow.write_back) = w.store_sectors * sector;
      if (p.load_sectors > 0) flow.demand_fills = scaled(flow.demand_fills, w.load_sectors, p.load_sectors);
      if (p.store_sectors == 0) continue;
      flow.write_allocate = scaled(flow.write_allocate, w.store_sectors, p.store_sectors);
      flow.write_back = scaled(flow.write_back, w.store_sectors, p.store_sectors);
      flow.write_through = scaled(flow.write_through, w.store_sectors, p.store_sectors);
    }
  }
  for (LevelCount& level : result.levels) {
    for (std::uint64_t* n : {&level.load_hits, &level.load_misses, &level.store_hits, &level.store_misses}) grow(*n);
  }
  return result;
}

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

/// Bytes of the loads that a thread issues before it uses the first, in its longest body.
double thread_bytes(const Program& program, const Launch& launch) {
  constexpr int most_loads = 16;
  double longest = 0;
  visit_bodies(launch.thread, [&](const Body& body) {
    double bytes = 0;
    int loads = 0;
    for (const StreamRef& ref : body.refs) {
      if (ref.kind == Kind::load && !program.regions[ref.array].shared && loads++ < most_loads) bytes += ref.bytes;
    }
    longest = std::max(longest, bytes);
  });
  return longest;
}

/// Large pages that the blocks which one multiprocessor runs at a time touch.
double pages_of(const MappedNest& k, const Program& program, std::uint64_t page, std::uint32_t line) {
  std::set<std::uint64_t> pages;
  std::vector<Int> environment = k.environment;
  for (std::size_t a = 0; a < 3; ++a) {
    const StreamLoop* loop = k.launch.blocks[a];
    if (loop != nullptr)
      environment[loop->slot] = k.grid.trips[a].first + static_cast<Int>(k.grid.trips[a].count / 2) * loop->step;
  }
  std::vector<std::uint64_t> warps(program.bodies);
  std::vector<std::uint64_t> lanes(program.bodies);
  WarpWork work{warps, lanes};
  Warp warp(*k.code, work);
  for (std::uint32_t w = 0; w < k.code->warps_per_block(); ++w) {
    warp.start(w, environment);
    std::uint64_t seen = 0;
    for (WarpAccess access; warp.next(access) && seen < 100'000; ++seen) {
      if (access.ref == nullptr || program.regions[access.ref->array].shared) continue;
      for (const TouchedLine& t : access.what->lines)
        pages.insert(static_cast<std::uint64_t>(access.line + t.line) * line / page);
    }
  }
  return static_cast<double>(pages.size());
}

struct Simulator {
  const Program& program;
  const Gpu& gpu;
  const GpuSimulateOptions& options;
  std::uint64_t instructions = 0;

  [[nodiscard]] std::vector<double> capacities(bool all) const {
    // Three times a cache of hundreds of megabytes would cost minutes: the interval is then that of the warps' order.
    constexpr double most_lines = 1e6;
    const bool affordable = options.variants && lines_of(gpu) < most_lines;
    return all && affordable ? std::vector<double>{1, less, more} : std::vector<double>{1};
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
    if (k.grid.blocks() > 0) result.pages_per_sm = pages_of(k, program, gpu.pages.page, gpu.caches.front().line);
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

  /// All nests from their first block to their last, in order; with a steady state, twice.
  void whole(const std::vector<std::unique_ptr<MappedNest>>& kernels, bool other_order,
             std::vector<GpuNestResult>& results) {
    GpuRunner runner(program, gpu, capacities(!other_order));
    for (int pass = options.cold ? 1 : 0; pass < 2; ++pass) {
      for (std::size_t n = 0; n < kernels.size(); ++n) {
        const MappedNest& k = *kernels[n];
        BlockOptions blocks = k.options;
        if (other_order) blocks.order = blocks.order == WarpOrder::random ? WarpOrder::lockstep : WarpOrder::random;
        const GpuCounts before = runner.counts();
        std::vector<Int> environment(program.slots);
        each_launch(k.launch, environment, [&] {
          runner.launch(k.l1_bytes);
          runner.run(*k.code, blocks, grid_of(k.launch, environment), environment);
        });
        if (options.cold && options.drain && n + 1 == kernels.size()) runner.drain();
        if (pass == 0) continue;
        GpuCounts counts = runner.counts();
        counts -= before;
        if (other_order) {
          add_variant(results[n], order_name(blocks.order), counts.counters[0]);
          continue;
        }
        results[n].nest.counters = counts.counters[0];
        results[n].requests = counts.requests;
        results[n].between_partitions = counts.between;
        finish(results[n], k);
        for (std::size_t v = 1; v < counts.counters.size(); ++v)
          add_variant(results[n], capacity_name(v == 1 ? less : more), counts.counters[v]);
      }
    }
    instructions += runner.counts().instructions;
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

  /// A window over some blocks of a nest, scaled up to what a share of it asks for, by capacity.
  std::vector<Counters> window(const MappedNest& k, const BlockOptions& blocks, const std::vector<double>& capacities,
                               const GpuRunner::Blocks& part, const Requests& wanted, GpuRunner::Window& window) {
    const auto length = static_cast<std::uint64_t>(static_cast<double>(options.budget) / 2 / k.cost);
    GpuRunner runner(program, gpu, capacities);
    runner.launch(k.l1_bytes);
    window = runner.window(*k.code, blocks, k.grid, k.environment, length, part);
    instructions += runner.counts().instructions;
    const double factor = as_double(wanted.instructions()) / as_double(window.counts.requests.instructions());
    std::vector<Counters> all;
    for (const Counters& counters : window.counts.counters) {
      all.push_back(scaled_up(counters, window.counts.requests, wanted, factor, gpu.caches.front().sector));
      multiply(all.back(), k);
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
    const Requests before = last == 0 ? whole : stretched(whole, as_double(blocks - last) / as_double(blocks));
    GpuRunner::Window seen;
    Counters of_last(gpu.caches.size(), program.regions.size());
    if (last > 0) {
      of_last = window(k, k.options, {1}, {blocks - last, blocks, blocks - last},
                       stretched(whole, as_double(last) / as_double(blocks)), seen)
                    .front();
    }
    if (options.variants) {
      BlockOptions other = k.options;
      other.order = other.order == WarpOrder::random ? WarpOrder::lockstep : WarpOrder::random;
      Counters all = window(k, other, {1}, {0, blocks, blocks / 3}, before, seen).front();
      add_variant(result, order_name(other.order), all += of_last);
    }
    std::vector<Counters> all = window(k, k.options, capacities(true), {0, blocks, blocks / 3}, before, seen);
    for (Counters& counters : all) counters += of_last;
    for (std::size_t v = 1; v < all.size(); ++v) add_variant(result, capacity_name(v == 1 ? less : more), all[v]);
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
    const std::uint64_t blocks = k.grid.blocks();
    const auto wanted = static_cast<std::uint64_t>(static_cast<double>(k.block.instructions()) * k.cost);
    const std::uint64_t stride = 1 + std::max<std::uint64_t>(1, wanted) * blocks / options.budget;
    Requests sum(program);
    std::uint64_t counted = 0;
    for (std::uint64_t b = stride / 2; b < blocks; b += stride, ++counted) {
      const auto& trips = k.grid.trips;
      sum += requests_of_block(
          *k.code, k.grid, k.environment,
          {b % trips[0].count, b / trips[0].count % trips[1].count, b / trips[0].count / trips[1].count});
    }
    exact = stride == 1;
    return exact ? sum : stretched(sum, static_cast<double>(blocks) / static_cast<double>(counted));
  }

  static std::uint64_t launches_like_this(const MappedNest& k) {
    return std::max<std::uint64_t>(1, (k.blocks + k.grid.blocks() / 2) / k.grid.blocks());
  }

  static void multiply(Counters& counters, const MappedNest& k) {
    const std::uint64_t n = launches_like_this(k);
    if (n == 1) return;
    const Counters once = counters;
    for (std::uint64_t times = n - 1, power = 1; times > 0; times >>= 1U, power <<= 1U) {
      if ((times & 1U) == 0) continue;
      Counters part = once;
      for (std::uint64_t p = power; p > 1; p >>= 1U) part += Counters(part);
      counters += part;
    }
  }

  static Requests stretched(const Requests& part, double factor) {
    Requests whole = part;
    const auto grow = [factor](std::uint64_t& n) {
      n = static_cast<std::uint64_t>(std::llround(static_cast<double>(n) * factor));
    };
    for (ArrayRequests& a : whole.arrays) {
      for (std::uint64_t* n :
           {&a.loads, &a.stores, &a.load_bytes, &a.store_bytes, &a.load_sectors, &a.store_sectors, &a.distinct_bytes})
        grow(*n);
    }
    for (auto* list : {&whole.warps, &whole.lanes}) std::ranges::for_each(*list, grow);
    for (std::uint64_t* n :
         {&whole.lines, &whole.shared_instructions, &whole.shared_passes, &whole.shared_least, &whole.shared_bytes})
      grow(*n);
    whole.l1_cycles *= factor;
    return whole;
  }
};

}  // namespace

GpuSimulation simulate_gpu(const Program& program, const Gpu& gpu, const GpuSimulateOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::unique_ptr<MappedNest>> kernels;
  double total = 0;
  GpuSimulation result;
  Simulator simulator{program, gpu, options};
  for (std::size_t n = 0; n < program.nests.size(); ++n) {
    kernels.push_back(kernel_of(program, n, gpu, options));
    total += kernels.back()->work;
    result.nests.push_back(simulator.described(*kernels.back()));
  }
  if (total * passes <= static_cast<double>(options.budget)) {
    simulator.whole(kernels, false, result.nests);
    if (options.variants) simulator.whole(kernels, true, result.nests);
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
