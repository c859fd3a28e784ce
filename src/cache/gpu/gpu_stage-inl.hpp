// The levels of a GPU's hierarchy over sectored sets. (Compiled once per SIMD target, see gpu_stage.cpp.)
#if defined(MANSARD_CACHE_GPU_GPU_STAGE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef MANSARD_CACHE_GPU_GPU_STAGE_INL
#undef MANSARD_CACHE_GPU_GPU_STAGE_INL
#else
#define MANSARD_CACHE_GPU_GPU_STAGE_INL
#endif

#include <algorithm>
#include <array>
#include <optional>

#include "cache/gpu/gpu_stage.hpp"
#include "cache/gpu/linked_sectors.hpp"
#include "cache/gpu/sectored_sets-inl.hpp"
#include "cache/owner.hpp"

HWY_BEFORE_NAMESPACE();
namespace mansard::HWY_NAMESPACE {

/// What stages share: where lines are, and the way to the next level. `Sets`: SectoredSets or LinkedSectors.
template <class Sets>
class StageBase : public GpuStage {
 protected:
  using Row = std::size_t;
  using Kind = SectorRequest::Kind;
  static constexpr std::uint32_t none = Sets::none;

  StageBase(const GpuStageShape& shape, std::uint64_t caches)
      : level_(shape.level),
        sets_in_cache_(level_.sets()),
        sets_(caches * sets_in_cache_, level_.set_ways(), level_.sector / 4) {
    if (shape.next) next_.emplace(level_, *shape.next);
  }

  [[nodiscard]] HWY_INLINE Row row_of(std::uint64_t cache, std::uint32_t line) const {
    return cache * sets_in_cache_ + (((mix(line) >> 32U) * sets_in_cache_) >> 32U);
  }
  [[nodiscard]] static std::uint64_t number(unsigned sectors) {
    return static_cast<std::uint64_t>(std::popcount(sectors));
  }
  [[nodiscard]] std::uint64_t bytes(unsigned sectors) const { return number(sectors) * level_.sector; }
  /// `r` for other sectors; nothing where the next level is memory, which holds everything.
  HWY_INLINE void ask(SectorRequest r, unsigned sectors, Kind kind, std::uint64_t words, SectorTape& next) const {
    if (!next_) return;
    r.sectors = static_cast<std::uint8_t>(sectors);
    r.kind = kind;
    r.words = words;
    next_->append(r, next);
  }

  /// Calls play(request, place) for all in order, and look_ahead(request), which returns the place, a group earlier: so
  /// our own machine has fetched from its memory what it will look at.
  template <class LookAhead, class Play>
  static HWY_INLINE void in_groups(std::span<const SectorRequest> requests, const LookAhead& look_ahead,
                                   const Play& play) {
    constexpr std::size_t group = 16;
    using Place = decltype(look_ahead(requests.front()));
    std::array<std::array<Place, group>, 2> places;
    const std::size_t groups = (requests.size() + group - 1) / group;
    for (std::size_t g = 0; g <= groups; ++g) {
      if (g < groups) {
        const auto some = requests.subspan(g * group, std::min(group, requests.size() - g * group));
        for (std::size_t i = 0; i < some.size(); ++i) places[g % 2][i] = look_ahead(some[i]);
      }
      if (g == 0) continue;
      const auto some = requests.subspan((g - 1) * group, std::min(group, requests.size() - (g - 1) * group));
      for (std::size_t i = 0; i < some.size(); ++i) play(some[i], places[(g - 1) % 2][i]);
    }
  }

  GpuLevel level_;
  std::uint64_t sets_in_cache_;
  Sets sets_;
  std::optional<NextLines> next_;
};

template <class Sets>
class FirstStage final : public StageBase<Sets> {
  using Base = StageBase<Sets>;
  using Base::none, Base::sets_, Base::row_of, Base::number, Base::bytes, Base::ask, Base::in_groups;
  using typename Base::Kind, typename Base::Row;

 public:
  FirstStage(const GpuStageShape& shape, std::uint32_t units) : Base(shape, units) {}

  void play(std::span<const SectorRequest> requests, SectorTape& next, GpuStageCounts& counts) override {
    in_groups(
        requests,
        [&](const SectorRequest& r) {
          const Row row = row_of(r.unit, r.line);
          sets_.prefetch(row);
          return row;
        },
        [&](const SectorRequest& r, Row row) {
          r.kind == Kind::load ? load(row, r, next, counts) : store(row, r, next, counts);
        });
  }
  void drain(SectorTape& /*next*/, GpuStageCounts& /*counts*/) override {}  // nothing is ever dirty

 private:
  HWY_INLINE void load(Row row, const SectorRequest& r, SectorTape& next, GpuStageCounts& counts) {
    std::uint32_t way = sets_.find(row, r.line);
    unsigned missing = r.sectors;
    if (way == none) {
      way = sets_.next_to_leave(row);
      sets_.replace(row, way, r.line);
    } else {
      missing &= ~sets_.valid(row, way);
    }
    sets_.use(row, way);
    counts.level.load_misses += number(missing);
    counts.level.load_hits += number(r.sectors) - number(missing);
    if (missing == 0) return;
    sets_.fill(row, way, missing);
    counts.flows[r.array].demand_fills += bytes(missing);
    ask(r, missing, Kind::load, 0, next);
  }
  /// Written through: a copy stays and is up to date, a missing line stays away.
  HWY_INLINE void store(Row row, const SectorRequest& r, SectorTape& next, GpuStageCounts& counts) {
    (sets_.find(row, r.line) == none ? counts.level.store_misses : counts.level.store_hits) += number(r.sectors);
    counts.flows[r.array].write_through += bytes(r.sectors);
    ask(r, r.sectors, r.kind, r.words, next);
  }
};

template <class Sets>
class SharedStage final : public StageBase<Sets> {
  using Base = StageBase<Sets>;
  using Base::none, Base::level_, Base::sets_, Base::sets_in_cache_, Base::row_of, Base::number, Base::bytes, Base::ask,
      Base::in_groups;
  using typename Base::Kind, typename Base::Row;

 public:
  explicit SharedStage(const GpuStageShape& shape)
      : Base(shape, std::uint64_t{shape.level.instances} * shape.level.partitions),
        fetched_together_(shape.next ? 1 : std::clamp(shape.fetch / shape.level.sector, 1U, most_sectors)),
        all_(static_cast<unsigned>((std::uint64_t{1} << (shape.level.line / shape.level.sector)) - 1)),
        owner_(shape.regions, shape.level.line) {}

  void play(std::span<const SectorRequest> requests, SectorTape& next, GpuStageCounts& counts) override {
    in_groups(
        requests,
        [&](const SectorRequest& r) {
          const Place place = place_of(r);
          if (r.kind != Kind::load) {
            sets_.prefetch_for_store(place.home, r.sectors, r.words);
            each_copy(r, [&](Row row) { sets_.prefetch(row); });
          } else {
            sets_.prefetch(place.near);
            if (level_.partitions > 1) sets_.prefetch(place.home);
          }
          return place;
        },
        [&](const SectorRequest& r, const Place& place) {
          r.kind == Kind::load ? load(place, r, next, counts) : store(place, r, next, counts);
        });
  }

  void drain(SectorTape& next, GpuStageCounts& counts) override {
    sets_.each_dirty([&](Row row, std::uint32_t way) {
      SectorRequest r{};
      r.unit = static_cast<std::uint16_t>(row / sets_in_cache_ / level_.partitions);
      put_out(row, way, r, next, counts);
      sets_.clean(row, way);
    });
  }

 private:
  /// Rows of a line: in the partition that is asked, and in the one that fetches and writes it.
  struct Place {
    Row near, home;
  };
  [[nodiscard]] HWY_INLINE Place place_of(const SectorRequest& r) const {
    const std::uint32_t partitions = level_.partitions;
    const std::uint32_t instance = r.unit % level_.instances;
    if (partitions == 1) {
      const Row row = row_of(instance, r.line);
      return {row, row};
    }
    const std::uint64_t first = std::uint64_t{instance} * partitions;
    const std::uint32_t near = r.unit / level_.instances % partitions;
    return {row_of(first + near, r.line), row_of(first + home_of(r.line, partitions), r.line)};
  }

  /// The way of a line, which is in the row afterwards.
  HWY_INLINE std::uint32_t take(Row row, const SectorRequest& r, bool& hit, SectorTape& next, GpuStageCounts& counts) {
    const std::uint32_t way = sets_.find(row, r.line);
    hit = way != none;
    if (hit) return way;
    const std::uint32_t victim = sets_.next_to_leave(row);
    if (sets_.dirty(row, victim) != 0) put_out(row, victim, r, next, counts);
    sets_.replace(row, victim, r.line);
    return victim;
  }
  /// The same for one that is used; takes from `sectors` those that it has.
  HWY_INLINE std::uint32_t take_for_use(Row row, const SectorRequest& r, unsigned& sectors, SectorTape& next,
                                        GpuStageCounts& counts) {
    bool hit = false;
    const std::uint32_t way = take(row, r, hit, next, counts);
    sectors &= ~sets_.valid(row, way);
    sets_.use(row, way);
    return way;
  }

  HWY_INLINE void load(const Place& place, const SectorRequest& r, SectorTape& next, GpuStageCounts& counts) {
    unsigned missing = r.sectors;
    const std::uint32_t way = take_for_use(place.near, r, missing, next, counts);
    counts.level.load_misses += number(missing);
    counts.level.load_hits += number(r.sectors) - number(missing);
    if (missing == 0) return;
    if (place.home == place.near) {
      sets_.fill(place.near, way, fetch(r, missing, next, counts));
      return;
    }
    counts.between_partitions += bytes(missing);
    unsigned absent = missing;
    const std::uint32_t there = take_for_use(place.home, r, absent, next, counts);
    if (absent != 0) sets_.fill(place.home, there, fetch(r, absent, next, counts));
    sets_.fill(place.near, way, missing);
  }

  HWY_INLINE void store(const Place& place, const SectorRequest& r, SectorTape& next, GpuStageCounts& counts) {
    each_copy(r, [&](Row row) {
      const std::uint32_t way = sets_.find(row, r.line);
      if (way != none) sets_.drop(row, way, r.sectors);
    });
    bool hit = false;
    const std::uint32_t way = take(place.home, r, hit, next, counts);
    sets_.write(place.home, way, r.sectors, r.words);
    const unsigned whole = sets_.dirty(place.home, way) & sets_.valid(place.home, way) & r.sectors;
    if (r.kind == Kind::streaming || (level_.written_first && whole == r.sectors)) {
      sets_.leave_early(place.home, way);
    } else {
      sets_.use(place.home, way);
    }
    (hit ? counts.level.store_hits : counts.level.store_misses) += number(r.sectors);
  }

  /// Calls visit(row) for the rows of a line in the partitions that are not its home.
  template <class Visit>
  HWY_INLINE void each_copy(const SectorRequest& r, const Visit& visit) const {
    if (level_.partitions == 1) return;
    const std::uint64_t first = std::uint64_t{r.unit % level_.instances} * level_.partitions;
    const std::uint32_t home = home_of(r.line, level_.partitions);
    for (std::uint32_t p = 0; p < level_.partitions; ++p) {
      if (p != home) visit(row_of(first + p, r.line));
    }
  }

  /// Asks for sectors, in the pieces that the next level hands out; returns what comes.
  HWY_INLINE unsigned fetch(const SectorRequest& r, unsigned sectors, SectorTape& next, GpuStageCounts& counts) const {
    const unsigned come = widened(sectors);
    counts.flows[r.array].demand_fills += bytes(come);
    ask(r, come, Kind::load, 0, next);
    return come;
  }
  [[nodiscard]] HWY_INLINE unsigned widened(unsigned sectors) const {
    if (fetched_together_ == 1) return sectors & all_;
    const unsigned piece = (1U << fetched_together_) - 1;
    unsigned result = 0;
    for (unsigned s = 0; s < most_sectors; s += fetched_together_) {
      if ((sectors & (piece << s)) != 0) result |= piece << s;
    }
    return result & all_;
  }

  void put_out(Row row, std::uint32_t way, const SectorRequest& from, SectorTape& next, GpuStageCounts& counts) const {
    const std::uint32_t line = sets_.line(row, way);
    const unsigned dirty = sets_.dirty(row, way);
    const unsigned incomplete = dirty & ~sets_.valid(row, way);
    SectorRequest r = from;
    r.line = line;
    r.array = static_cast<std::uint16_t>(owner_(line));
    Flow& flow = counts.flows[r.array];
    flow.write_back += bytes(dirty);
    // A sector that was written in part needs the rest: it is read, merged and written.
    flow.write_allocate += bytes(incomplete);
    if (incomplete != 0) ask(r, incomplete, Kind::load, 0, next);
    ask(r, dirty, Kind::store, ~std::uint64_t{0}, next);
  }

  static constexpr std::uint32_t most_sectors = 8;  ///< of a line
  std::uint32_t fetched_together_;                  ///< sectors
  unsigned all_;                                    ///< sectors of a line
  Owner owner_;
};

}  // namespace mansard::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
