// The production hierarchy of several cores: accesses that change nothing are only counted, and laps of the cores that
// are proven to repeat each other are skipped.
#include <algorithm>
#include <bit>

#include "cache/cores/coherent_levels.hpp"

namespace mansard {
namespace {

class FastCores final : public CoresHierarchy, private LapHook {
 public:
  FastCores(const Geometry& geometry, const std::vector<Region>& regions, std::uint32_t cores, bool fast_forward)
      : shift_(std::countr_zero(geometry.line)),
        line_bytes_(geometry.line),
        levels_(geometry, regions, cores),
        fast_forward_(fast_forward && levels_.tells_state()),
        counters_(geometry.levels.size(), std::max<std::size_t>(regions.size(), 1)) {}

  void consume(std::uint32_t core, const Batch& batch) override {
    Counts& counts = levels_.counts();
    const std::uint64_t load_misses = counts.levels[0].load_misses, store_misses = counts.levels[0].store_misses;
    ByKind lookups;
    if (const Run* run = std::get_if<Run>(&batch)) {
      for (const StreamRef& ref : run->refs) request(ref.kind, ref.bytes, ref.array, run->count);
      lookups = play(core, *run);
    } else {
      const auto elements = std::get<std::span<const Element>>(batch);
      for (const Element& e : elements) {
        request(e.kind, e.bytes, e.array, 1);
        lookups[e.kind] += access(core, e.address, e.bytes, e.kind);
      }
    }
    // Hits in the first level are what is left of its look-ups, so that counting them costs nothing.
    counts.levels[0].load_hits += lookups.loads - (counts.levels[0].load_misses - load_misses);
    counts.levels[0].store_hits += lookups.stores - (counts.levels[0].store_misses - store_misses);
    counts.line_lookups += lookups.loads + lookups.stores + lookups.nontemporal;
  }

  [[nodiscard]] const Counters& counters() const override {
    counters_ = Counters(counters_.levels.size(), counters_.flows.front().size());
    levels_.counts().add_to(counters_);
    return counters_;
  }
  [[nodiscard]] const std::vector<SharingCount>& sharing() const override { return levels_.sharing(); }
  void drain() override { levels_.drain(); }
  [[nodiscard]] std::uint64_t dirty_lines() const override { return levels_.dirty_lines(); }
  [[nodiscard]] std::uint64_t lookups() const override { return levels_.lookups(); }
  LapHook* lap_hook() override { return fast_forward_ ? this : nullptr; }

 private:
  void request(Kind kind, std::uint64_t bytes, std::size_t array, std::uint64_t times) {
    Counts& counts = levels_.counts();
    Flow& asked = counts.flows[array];
    (kind == Kind::load ? counts.loads : kind == Kind::store ? counts.stores : counts.nontemporal_stores) += times;
    (kind == Kind::load    ? asked.demand_fills
     : kind == Kind::store ? asked.write_back
                           : asked.nontemporal) += times * bytes;
  }

  ByKind play(std::uint32_t core, const Run& run) {
    ByKind lookups;
    address_.assign(run.base.begin(), run.base.end());
    for (std::uint64_t n = 0; n < run.count; ++n) {
      for (std::size_t r = 0; r < run.refs.size(); ++r) {
        const StreamRef& ref = run.refs[r];
        lookups[ref.kind] += access(core, static_cast<std::uint64_t>(address_[r]), ref.bytes, ref.kind);
        address_[r] += run.stride[r];
      }
    }
    return lookups;
  }

  /// Returns the line look-ups.
  [[gnu::always_inline]] std::uint64_t access(std::uint32_t core, std::uint64_t address, std::uint64_t bytes,
                                              Kind kind) {
    const std::uint64_t line = address >> shift_, from = address & (line_bytes_ - 1);
    if (from + bytes > line_bytes_) [[unlikely]]
      return access_lines(core, address, bytes, kind);
    if (!levels_.is_idle(core, line, kind)) levels_.access(core, line, from, from + bytes, kind);
    return 1;
  }

  [[gnu::noinline]] std::uint64_t access_lines(std::uint32_t core, std::uint64_t address, std::uint64_t bytes,
                                               Kind kind) {
    const std::uint64_t end = address + bytes, first = address >> shift_, last = (end - 1) >> shift_;
    for (std::uint64_t line = first; line <= last; ++line) {
      const std::uint64_t start = line << shift_;
      levels_.access(core, line, std::max(address, start) - start, std::min(end, start + line_bytes_) - start, kind);
    }
    return last - first + 1;
  }

  [[nodiscard]] std::uint32_t line_bytes() const override { return static_cast<std::uint32_t>(line_bytes_); }

  /// The proof is that of docs/engine.md, "Fast-forward", for the joint state of all caches: what cores do to each
  /// other depends on that state alone. Groups of laps grow until comparing states costs less than simulating them.
  void laps(std::uint64_t count, std::uint64_t period, Int lines, CoresWalker& walker) override {
    std::uint64_t periods = 1;  // in a group
    while (count >= 2 * periods * period) {
      const std::uint64_t group = periods * period, lookups = levels_.lookups();
      const Counts before = levels_.counts();
      const std::vector<SharingCount> sharing = levels_.sharing();
      levels_.save(state_);
      walker.mark();
      if (!walker.run(group)) return;
      count -= group;
      const Int moved = lines * static_cast<Int>(periods);
      const std::uint64_t times = count / group;
      const Int distance = moved * static_cast<Int>(times);
      if (sharing == levels_.sharing() && levels_.is_moved(state_, moved) && levels_.keeps_owners(distance)) {
        levels_.counts().repeat_since(before, times);
        levels_.move(distance);
        walker.repeat(group, times);
        count -= times * group;
        break;
      }
      if (levels_.lookups() - lookups < levels_.entries()) periods *= 2;
    }
    if (count > 0) walker.run(count);
  }

  int shift_;
  std::uint64_t line_bytes_;
  CoherentLevels levels_;
  bool fast_forward_;
  std::vector<Int> address_;
  CoherentLevels::State state_;
  mutable Counters counters_;
};

}  // namespace

std::unique_ptr<CoresHierarchy> make_cores(const Geometry& geometry, const std::vector<Region>& regions,
                                           std::uint32_t cores, bool fast_forward) {
  return std::make_unique<FastCores>(geometry, regions, cores, fast_forward);
}

}  // namespace mansard
