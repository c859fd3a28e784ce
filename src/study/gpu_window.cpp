#include "study/gpu_window.hpp"

#include <algorithm>
#include <cmath>

namespace mansard {

GpuGeometry geometry_of(const Gpu& gpu, std::uint64_t l1_bytes, const CacheChange& change) {
  GpuGeometry geometry;
  geometry.units = gpu.sm.count;
  geometry.fetch = gpu.memory.fetch;
  for (const GpuCache& cache : gpu.caches) {
    GpuLevel level;
    const bool first = geometry.levels.empty();
    const auto scaled = static_cast<std::uint64_t>(
        std::llround(static_cast<double>(cache.usable.value_or(cache.size)) * change.capacity));
    level.bytes = first ? l1_bytes : scaled;
    level.ways = cache.ways;
    level.line = cache.line;
    level.sector = cache.sector;
    level.instances = gpu.instances(cache.scope);
    level.written_first = cache.written_first;
    level.partitions = cache.duplicated ? cache.partitions : 1;
    level.associative = change.associative == geometry.levels.size();
    geometry.levels.push_back(level);
  }
  const auto shared = std::span(geometry.levels).subspan(1);
  if (std::ranges::all_of(shared, [&](const GpuLevel& l) { return l.line == shared.front().line; }))
    geometry.one_in = change.one_in;
  return geometry;
}

std::uint64_t warm_up_bytes(const Gpu& gpu) {
  constexpr std::uint64_t warm_up = 4;  // times the capacity
  std::uint64_t bytes = 0;
  for (std::size_t k = 1; k < gpu.caches.size(); ++k) {
    const GpuCache& cache = gpu.caches[k];
    bytes += cache.memory_side ? cache.size + cache.size / 4 : warm_up * cache.size * gpu.instances(cache.scope);
  }
  return bytes;
}

GpuCounts& GpuCounts::operator-=(const GpuCounts& o) {
  requests -= o.requests;
  for (std::size_t c = 0; c < counters.size(); ++c) counters[c] -= o.counters[c];
  between -= o.between;
  blocks -= o.blocks;
  instructions -= o.instructions;
  return *this;
}

namespace {

bool has_own_first(const CacheChange& change) { return change.associative == std::size_t{0}; }

}  // namespace

GpuRunner::GpuRunner(const Program& program, const Gpu& gpu, const std::vector<CacheChange>& changes)
    : program_(program), gpu_(gpu), requests_(program) {
  // launch() gives the first level its size.
  const std::uint64_t one_set = std::uint64_t{gpu.caches.front().line} * gpu.caches.front().ways;
  std::vector<GpuGeometry> behind_one;
  std::vector<GpuGeometry> alone;
  for (const CacheChange& change : changes) {
    GpuGeometry geometry = geometry_of(gpu, one_set, change);
    if (has_own_first(change)) {
      geometry.levels.resize(1);
      alone.push_back(std::move(geometry));
      places_.push_back({alone.size(), 0});
    } else {
      places_.push_back({0, behind_one.size()});
      behind_one.push_back(std::move(geometry));
    }
  }
  hierarchies_.emplace_back(behind_one, program.regions);
  for (const GpuGeometry& geometry : alone) hierarchies_.emplace_back(std::span(&geometry, 1), program.regions);
}

void GpuRunner::launch(std::uint64_t l1_bytes) {
  for (GpuHierarchy& h : hierarchies_) h.empty_first(l1_bytes);
}

void GpuRunner::keep_first_change() {
  hierarchies_.erase(hierarchies_.begin() + 1, hierarchies_.end());
  hierarchies_.front().keep_first_geometry();
  places_.resize(1);
}

void GpuRunner::drain() {
  for (GpuHierarchy& h : hierarchies_) h.drain();
}

void GpuRunner::access(std::uint32_t sm, const WarpAccess& access) {
  if (access.what == nullptr) return;
  requests_.add(access, program_);
  const StreamRef& ref = *access.ref;
  if (program_.regions[ref.array].shared) return;
  for (const TouchedLine& touched : access.what->lines) {
    const GpuLineAccess line{static_cast<std::uint64_t>(access.line + touched.line), touched.sectors, touched.words};
    for (GpuHierarchy& h : hierarchies_) {
      if (ref.kind == Kind::load) {
        h.load(sm, ref.array, line);
      } else {
        h.store(sm, ref.array, line, ref.kind == Kind::nontemporal);
      }
    }
  }
}

GpuCounts GpuRunner::counts() {
  GpuCounts counts{requests_, {}, hierarchies_.front().between_partitions(), blocks_, instructions_};
  for (const Place& at : places_) counts.counters.push_back(hierarchies_[at.hierarchy].counters(at.geometry));
  return counts;
}

void GpuRunner::run(WarpCode& code, const BlockOptions& options, const Grid& grid, std::span<const Int> environment) {
  WarpWork work{requests_.warps, requests_.lanes};
  BlockWalker walker(code, work, options);
  const BlockWalker::Sink sink = [this](std::uint32_t sm, const WarpAccess& a) { access(sm, a); };
  walker.begin(grid, environment, 0, grid.blocks());
  while (walker.turn(sink)) {
  }
  requests_.warps = std::move(work.warps);
  requests_.lanes = std::move(work.lanes);
  blocks_ += walker.finished();
  instructions_ += walker.instructions();
}

GpuRunner::Window GpuRunner::window(WarpCode& code, const BlockOptions& options, const Grid& grid,
                                    std::span<const Int> environment, std::uint64_t instructions,
                                    const Blocks& blocks) {
  constexpr int quarters = 4;
  WarpWork work{requests_.warps, requests_.lanes};
  BlockWalker walker(code, work, options);
  const BlockWalker::Sink sink = [this](std::uint32_t sm, const WarpAccess& a) { access(sm, a); };
  std::uint64_t blocks_before = 0;
  const auto now = [&] {
    requests_.warps = work.warps;
    requests_.lanes = work.lanes;
    blocks_ = blocks_before + walker.finished();
    instructions_ = walker.instructions();
    return counts();
  };
  const auto turn = [&] {
    if (walker.turn(sink)) return;
    blocks_before += walker.finished();
    walker.begin(grid, environment, blocks.from, blocks.to);  // from its end, a sweep goes on at its start
  };
  walker.begin(grid, environment, blocks.first, blocks.to);

  const std::uint64_t wanted = warm_up_bytes(gpu_);
  constexpr std::uint64_t per_instruction_at_least = 256;
  const std::uint64_t patience = std::max(2 * instructions, wanted / per_instruction_at_least);
  const auto traffic = [&] { return hierarchies_.front().beyond_first(); };
  const std::uint64_t resident = std::uint64_t{options.sms} * options.blocks_per_sm;
  const auto is_warm = [&] {
    if (walker.instructions() >= patience) return true;
    const bool first_wave_over = blocks_before + walker.finished() >= std::min(resident, blocks.to - blocks.from);
    return traffic() >= wanted && (first_wave_over || walker.instructions() >= instructions / 2);
  };
  while (!is_warm()) turn();
  Window result;
  const GpuCounts start = now();
  result.warm_blocks = start.blocks;
  result.warm_bytes = traffic();

  const std::size_t memory = gpu_.caches.size();
  std::vector<double> per_instruction;
  GpuCounts last = start;
  for (int q = 1; q <= quarters; ++q) {
    while (walker.instructions() - start.instructions < instructions * static_cast<std::uint64_t>(q) / quarters) turn();
    GpuCounts here = now();
    const auto moved =
        static_cast<double>(here.counters[0].boundary(memory).total() - last.counters[0].boundary(memory).total());
    per_instruction.push_back(moved /
                              static_cast<double>(std::max<std::uint64_t>(here.instructions - last.instructions, 1)));
    last = std::move(here);
  }
  const auto [least, most] = std::ranges::minmax_element(per_instruction);
  double mean = 0;
  for (const double p : per_instruction) mean += p / quarters;
  result.spread = mean > 0 ? (*most - *least) / mean : 0;
  result.counts = std::move(last);
  result.counts -= start;
  return result;
}

}  // namespace mansard
