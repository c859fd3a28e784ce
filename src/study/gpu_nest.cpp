#include "study/gpu_nest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace mansard {
namespace {

LanePath path_of(const Gpu& gpu) {
  const GpuCache& first = gpu.caches.front();
  const Multiprocessor& sm = gpu.sm;
  return {first.line,    first.sector, sm.load_store_lanes, sm.double_lanes.value_or(sm.load_store_lanes),
          sm.l1_banks,   sm.l1_bank,   sm.tag_lines,        sm.shared.banks,
          sm.shared.bank};
}

/// Memory instructions by which a block may drift: as many as keep all resident blocks within a quarter of the L2.
double drift_of(const Gpu& gpu, const Occupancy& occupancy) {
  const GpuCache& shared = gpu.caches[std::min<std::size_t>(1, gpu.caches.size() - 1)];
  const double per_instruction = static_cast<double>(gpu.sm.count) * occupancy.warps * shared.line;
  return static_cast<double>(shared.size) * gpu.instances(shared.scope) / 4 / per_instruction;
}

/// Coordinates of a block in the middle of the grid; not the last ones along an axis, which may be smaller.
std::array<std::uint64_t, 3> middle_of(const Grid& grid) {
  std::array<std::uint64_t, 3> middle{};
  for (std::size_t a = 0; a < 3; ++a) middle[a] = grid.trips[a].count > 2 ? grid.trips[a].count / 2 : 0;
  return middle;
}

/// Of all caches together.
double lines_of(const Gpu& gpu) {
  double lines = 0;
  for (const GpuCache& cache : gpu.caches)
    lines += static_cast<double>(gpu.instances(cache.scope)) * static_cast<double>(cache.size) / cache.line;
  return lines;
}

}  // namespace

std::unique_ptr<MappedNest> mapped_nest(const Program& program, std::size_t n, const Gpu& gpu, std::uint64_t seed) {
  auto launch = launch_of(program, n);
  if (!launch) {
    throw InputError({"gpu"}, fmt::format("{} is not mapped to threads: a step of the schedule does that, such as "
                                          "gpu(x: i, block: 256) with the names of its loops",
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
  k.options.seed = seed;
  std::vector<Int> environment(program.slots);
  each_launch(k.launch, environment, [&] { ++k.launches, k.blocks += grid_of(k.launch, environment).blocks(); });
  std::uint64_t index = 0;
  each_launch(k.launch, environment, [&] {
    if (index++ != k.launches / 2) return;
    k.environment = environment;
    k.grid = grid_of(k.launch, environment);
  });
  if (k.launches == 0 || k.grid.blocks() == 0) return kernel;
  k.block = requests_of_block(*k.code, k.grid, k.environment, middle_of(k.grid));
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

double pages_of(const MappedNest& k, const Program& program, std::uint64_t page, std::uint32_t line) {
  std::set<std::uint64_t> pages;
  std::vector<Int> environment = k.environment;
  place_block(k.launch, k.grid, middle_of(k.grid), environment);
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

}  // namespace mansard
