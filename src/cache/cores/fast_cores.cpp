// The production hierarchy of several cores: accesses that change nothing are only counted, and laps of the cores that
// are proven to repeat each other are skipped.
#include <algorithm>
#include <bit>

#include "cache/cores/coherent_levels.hpp"

namespace mansard {
namespace {

class FastCores final : public CoresHierarchy, private StepHook {
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
      const Gather* const gather = std::get_if<Gather>(&batch);
      if (gather != nullptr) {
        for (const StreamRef& ref : gather->refs) request(ref.kind, ref.bytes, ref.array, gather->count);
      }
      const auto single = gather != nullptr ? gather->between : std::get<std::span<const Element>>(batch);
      for (const Element& e : single) request(e.kind, e.bytes, e.array, 1);
      visit_elements(batch, [&](const Element& e) { lookups[e.kind] += access(core, e.address, e.bytes, e.kind); });
    }
    // Hits in the first level are what is left of its look-ups, so that counting them costs nothing.
    counts.levels[0].load_hits += lookups.loads - (counts.levels[0].load_misses - load_misses);
    counts.levels[0].store_hits += lookups.stores - (counts.levels[0].store_misses - store_misses);
    counts.line_lookups += lookups.loads + lookups.stores + lookups.nontemporal;
  }

  [[nodiscard]] const Counters& counters() const override {
    counters_ = Counters(counters_.levels.size(), counters_.flows.front().size());
    levels_.counts().add_to(counters_, 1);
    return counters_;
  }
  [[nodiscard]] const std::vector<SharingCount>& sharing() const override { return levels_.sharing(); }
  void drain() override { levels_.drain(); }
  [[nodiscard]] std::uint64_t dirty_lines() const override { return levels_.dirty_lines(); }
  [[nodiscard]] std::uint64_t lookups() const override { return levels_.lookups(); }
  StepHook* step_hook() override { return fast_forward_ ? this : nullptr; }

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
  void steps(std::uint64_t count, std::uint64_t period, Int lines, CommonSteps& steps) override {
    if (!steps.are_laps() && wait_ > 0) {  // rounds did not repeat themselves lately
      --wait_;
      steps.run(count);
      return;
    }
    CoherentLevels::State& state = states_[steps.are_laps() ? 0 : 1];
    bool proven = false;
    for (std::uint64_t periods = 1; !proven && count >= 2 * periods * period;) {  // `periods` in a group
      const std::uint64_t group = periods * period, lookups = levels_.lookups();
      const Counts before = levels_.counts();
      const std::vector<SharingCount> sharing = levels_.sharing();
      levels_.save(state);
      steps.mark();
      if (!steps.run(group)) return;
      count -= group;
      const Int moved = lines * static_cast<Int>(periods);
      const std::uint64_t times = count / group;
      const Int distance = moved * static_cast<Int>(times);
      proven = sharing == levels_.sharing() && levels_.is_moved(state, moved) && levels_.keeps_owners(distance);
      if (proven) {
        levels_.counts().repeat_since(before, times);
        levels_.move(distance);
        steps.repeat(group, times);
        count -= times * group;
      } else if (levels_.lookups() - lookups < levels_.entries() / worth) {
        periods *= 2;
      }
    }
    if (!steps.are_laps()) {
      patience_ = proven ? 0 : std::min<std::uint64_t>(2 * patience_ + 1, most_patient);
      wait_ = patience_;
    }
    if (count > 0) steps.run(count);
  }

  static constexpr std::uint64_t worth = 8;          // look-ups compare with that many entries of a state
  static constexpr std::uint64_t most_patient = 31;  // laps

  int shift_;
  std::uint64_t line_bytes_;
  CoherentLevels levels_;
  bool fast_forward_;
  std::vector<Int> address_;
  CoherentLevels::State states_[2];        // of laps, of rounds within them
  std::uint64_t wait_ = 0, patience_ = 0;  // laps before the next look at rounds
  mutable Counters counters_;
};

}  // namespace

std::unique_ptr<CoresHierarchy> make_cores(const Geometry& geometry, const std::vector<Region>& regions,
                                           std::uint32_t cores, bool fast_forward) {
  return std::make_unique<FastCores>(geometry, regions, cores, fast_forward);
}

}  // namespace mansard
