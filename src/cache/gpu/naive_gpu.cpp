#include "cache/gpu/naive_gpu.hpp"

#include <algorithm>

#include "cache/gpu/sector_request.hpp"

namespace mansard {
namespace {

constexpr std::uint32_t word = 4;  // bytes

/// Sectors widened to whole groups of `group`.
std::uint32_t widened(std::uint32_t sectors, std::uint32_t group) {
  if (group <= 1) return sectors;
  const std::uint32_t one = group >= 32 ? ~0U : (1U << group) - 1;
  std::uint32_t result = 0;
  for (std::uint32_t s = 0; s < 32; s += group) {
    if ((sectors & (one << s)) != 0) result |= one << s;
  }
  return result;
}

}  // namespace

NaiveGpuHierarchy::Level NaiveGpuHierarchy::level_of(const GpuLevel& shape) {
  const std::size_t count = std::size_t{shape.instances} * shape.partitions;
  return {shape, std::vector<SectoredCache>(count, SectoredCache(shape.sets(), shape.set_ways(), shape.sector / word))};
}

NaiveGpuHierarchy::NaiveGpuHierarchy(const GpuGeometry& geometry, const std::vector<Region>& regions)
    : fetch_(geometry.fetch), regions_(regions), counters_(geometry.levels.size(), regions.size()) {
  for (const GpuLevel& shape : geometry.levels) levels_.push_back(level_of(shape));
}

void NaiveGpuHierarchy::empty_first(std::uint64_t bytes) {
  GpuLevel shape = levels_.front().shape;
  shape.bytes = bytes;
  levels_.front() = level_of(shape);
}

/// As cache/owner.hpp has it: the last array that starts at or before the line's last byte.
std::uint16_t NaiveGpuHierarchy::owner(std::uint64_t line, std::uint32_t bytes) const {
  const auto above = std::ranges::upper_bound(regions_, line * bytes + bytes - 1, {}, &Region::start);
  return static_cast<std::uint16_t>(above == regions_.begin() ? 0 : above - regions_.begin() - 1);
}

template <class Visit>
void NaiveGpuHierarchy::in_next(std::size_t k, const Part& part, Visit&& visit) const {
  if (k + 1 == levels_.size()) return;  // memory holds everything
  const GpuLevel& from = levels_[k].shape;
  const GpuLevel& to = levels_[k + 1].shape;
  if (from.line == to.line && from.sector == to.sector) return visit(part);
  Part next{~std::uint64_t{0}, 0, 0};
  for (std::uint32_t rest = part.sectors; rest != 0; rest &= rest - 1) {
    const auto s = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint64_t start = part.line * from.line + std::uint64_t{s} * from.sector;
    for (std::uint64_t at = start; at < start + from.sector; at += word) {
      if (at / to.line != next.line) {
        if (next.sectors != 0) visit(next);
        next = {at / to.line, 0, 0};
      }
      next.sectors |= 1U << (at % to.line / to.sector);
      const std::uint64_t w = at % from.line / word;
      if ((part.words >> w & 1U) != 0) next.words |= std::uint64_t{1} << (at % to.line / word);
    }
  }
  if (next.sectors != 0) visit(next);
}

void NaiveGpuHierarchy::load(std::uint32_t unit, std::uint16_t array, const GpuLineAccess& access) {
  const Request from{unit, array};
  SectoredCache& cache = levels_.front().caches[unit];
  SectoredCache::Place place;
  const std::uint32_t missing = take(0, from, cache, {access.line, access.sectors, 0}, place);
  const auto lacking = static_cast<std::uint64_t>(std::popcount(missing));
  counters_.levels[0].load_misses += lacking;
  counters_.levels[0].load_hits += static_cast<std::uint64_t>(std::popcount(access.sectors)) - lacking;
  if (missing == 0) return;
  cache.fill(place, missing);
  counters_.flows[1][array].demand_fills += levels_.front().bytes(missing);
  in_next(0, {access.line, missing, 0}, [&](const Part& part) { read(1, from, part); });
}

void NaiveGpuHierarchy::store(std::uint32_t unit, std::uint16_t array, const GpuLineAccess& access, bool streaming) {
  // Written through: a copy in the L1 stays and is up to date, a missing line stays away.
  const bool there{levels_.front().caches[unit].find(access.line)};
  LevelCount& count = counters_.levels[0];
  (there ? count.store_hits : count.store_misses) += static_cast<std::uint64_t>(std::popcount(access.sectors));
  counters_.flows[1][array].write_through += levels_.front().bytes(access.sectors);
  in_next(0, {access.line, access.sectors, access.words},
          [&](const Part& part) { write(1, {unit, array}, part, streaming); });
}

/// The line is in the cache afterwards; returns the sectors that it lacks.
std::uint32_t NaiveGpuHierarchy::take(std::size_t k, Request from, SectoredCache& cache, const Part& part,
                                      SectoredCache::Place& place) {
  place = cache.find(part.line);
  if (place) {
    cache.use(place);
    return part.sectors & ~cache.valid(place);
  }
  SectoredVictim victim;
  place = cache.insert(part.line, victim);
  if (victim.dirty != 0) put_out(k, from.unit, victim);
  return part.sectors;
}

/// Brings sectors to level k from the next one, in the pieces that it hands out; returns what came.
std::uint32_t NaiveGpuHierarchy::fetch(std::size_t k, Request from, const Part& part) {
  const Level& level = levels_[k];
  const bool memory = k + 1 == levels_.size();
  const std::uint32_t piece = memory ? fetch_ : level.shape.sector;
  const std::uint32_t come =
      widened(part.sectors, piece / level.shape.sector) &
      static_cast<std::uint32_t>((std::uint64_t{1} << (level.shape.line / level.shape.sector)) - 1);
  counters_.flows[k + 1][from.array].demand_fills += level.bytes(come);
  in_next(k, {part.line, come, 0}, [&](const Part& next) { read(k + 1, from, next); });
  return come;
}

void NaiveGpuHierarchy::read(std::size_t k, Request from, const Part& part) {
  Level& level = levels_[k];
  const GpuLevel& shape = level.shape;
  const std::size_t instance = from.unit % shape.instances;
  SectoredCache* caches = &level.caches[instance * shape.partitions];
  const std::uint32_t near = shape.partitions == 1 ? 0 : from.unit / shape.instances % shape.partitions;
  SectoredCache::Place place;
  const std::uint32_t missing = take(k, from, caches[near], part, place);
  const auto lacking = static_cast<std::uint64_t>(std::popcount(missing));
  counters_.levels[k].load_misses += lacking;
  counters_.levels[k].load_hits += static_cast<std::uint64_t>(std::popcount(part.sectors)) - lacking;
  if (missing == 0) return;
  const std::uint32_t home = shape.partitions == 1 ? 0 : home_of(part.line, shape.partitions);
  const Part wanted{part.line, missing, 0};
  if (home == near) {
    caches[near].fill(place, fetch(k, from, wanted));
    return;
  }
  between_ += level.bytes(missing);
  SectoredCache::Place there;
  const std::uint32_t absent = take(k, from, caches[home], wanted, there);
  if (absent != 0) {
    caches[home].fill(there, fetch(k, from, {part.line, absent, 0}));
  }
  caches[near].fill(place, missing);
}

void NaiveGpuHierarchy::write(std::size_t k, Request from, const Part& part, bool streaming) {
  Level& level = levels_[k];
  const GpuLevel& shape = level.shape;
  SectoredCache* caches = &level.caches[std::size_t{from.unit % shape.instances} * shape.partitions];
  const std::uint32_t home = shape.partitions == 1 ? 0 : home_of(part.line, shape.partitions);
  for (std::uint32_t p = 0; p < shape.partitions; ++p) {
    const SectoredCache::Place copy = p == home ? SectoredCache::Place{} : caches[p].find(part.line);
    if (copy) caches[p].drop(copy, part.sectors);
  }
  SectoredCache& cache = caches[home];
  const bool hit{cache.find(part.line)};
  SectoredCache::Place place;
  take(k, from, cache, part, place);
  cache.write(place, part.sectors, part.words);
  if (streaming || (shape.written_first && cache.is_written(place, part.sectors))) cache.leave_early(place);
  LevelCount& count = counters_.levels[k];
  (hit ? count.store_hits : count.store_misses) += static_cast<std::uint64_t>(std::popcount(part.sectors));
}

void NaiveGpuHierarchy::put_out(std::size_t k, std::uint32_t unit, const SectoredVictim& victim) {
  const Level& level = levels_[k];
  const std::uint16_t array = owner(victim.line, level.shape.line);
  Flow& flow = counters_.flows[k + 1][array];
  flow.write_back += level.bytes(victim.dirty);
  // A sector that was written in part needs the rest: it is read, merged and written.
  flow.write_allocate += level.bytes(victim.incomplete);
  if (victim.incomplete != 0) {
    in_next(k, {victim.line, victim.incomplete, 0}, [&](const Part& part) { read(k + 1, {unit, array}, part); });
  }
  in_next(k, {victim.line, victim.dirty, ~std::uint64_t{0}},
          [&](const Part& part) { write(k + 1, {unit, array}, part, false); });
}

void NaiveGpuHierarchy::drain() {
  for (std::size_t k = 1; k < levels_.size(); ++k) {
    const GpuLevel& shape = levels_[k].shape;
    for (std::size_t c = 0; c < levels_[k].caches.size(); ++c) {
      const auto unit = static_cast<std::uint32_t>(c / shape.partitions);
      levels_[k].caches[c].drain([&](const SectoredVictim& victim) { put_out(k, unit, victim); });
    }
  }
}

}  // namespace mansard
