// Level over a way of storing sets. `Sets` has the non-virtual twins of Level's functions; the loops over accesses are
// compiled for it here, so that a hit in the first level costs no call.
#if defined(MANSARD_CACHE_LEVEL_OF_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef MANSARD_CACHE_LEVEL_OF_INL
#undef MANSARD_CACHE_LEVEL_OF_INL
#else
#define MANSARD_CACHE_LEVEL_OF_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "cache/geometry.hpp"
#include "cache/level.hpp"
#include "cache/plain_rows.hpp"
#include "cache/reduced_run-inl.hpp"
#include "cache/tally.hpp"

HWY_BEFORE_NAMESPACE();
namespace mansard::HWY_NAMESPACE {

template <class Sets>
class LevelOf final : public Level {
 public:
  /// `how`: what the sets need to know besides their number and size.
  template <class... How>
  LevelOf(const LevelGeometry& g, std::uint32_t line_bytes, const How&... how)
      : sets_(g.sets, g.ways, how...),
        line_bytes_(line_bytes),
        write_back_(g.write_back),
        store_promotes_(g.store_promotes),
        plain_(Sets::is_order && g.write_back && g.allocate && g.store_promotes),
        ways_(g.ways),
        entries_(g.sets * g.ways),
        reduced_(*this, std::countr_zero(line_bytes)) {}
  LevelOf(const LevelOf&) = delete;  // reduced_ refers to this level
  LevelOf& operator=(const LevelOf&) = delete;
  ~LevelOf() override = default;

  bool hit(std::uint64_t line, bool renew, bool mark) override { return sets_.hit(line, renew, mark); }
  Used insert(std::uint64_t line, bool dirty) override {
    if (reduced_.watches_evictions()) reduced_.before_eviction([&] { return sets_.oldest(line); });
    ++exchanges_;
    return sets_.insert(line, dirty);
  }
  std::optional<bool> remove(std::uint64_t line) override {
    const std::optional<bool> removed = sets_.remove(line);
    if (removed) {
      ++exchanges_;
      reduced_.removed(line);
    }
    return removed;
  }
  [[nodiscard]] bool is_dirty(std::uint64_t line) const override { return sets_.is_dirty(line); }
  bool clean_line(std::uint64_t line) override { return sets_.clean_line(line); }
  void visit_dirty(const std::function<void(std::uint64_t)>& visitor) const override { sets_.visit_dirty(visitor); }
  void clean() override { sets_.clean(); }

  void go_solo(const Solo& solo) override {
    solo_ = solo;
    tally_ = Tally(solo.columns);
  }

  void lines_stay() override {
    if constexpr (!Sets::is_order) sets_.lines_stay();
  }

  bool reduce(const Run& run, Beyond& beyond, bool fits) override {
    if (!plain_) return false;
    beyond_ = &beyond;
    const std::size_t first = solo_.out == nullptr ? 0 : solo_.out->size();
    if (!reduced_.run(run, fits)) return false;
    lookups_ += reduced_.touches();
    settle(first);
    return true;
  }

  void play(std::span<const Event> events, std::int64_t lines, Beyond& beyond, bool gathered) override {
    lookups_ += events.size();
    if (solo_.out == nullptr) {
      for (const Event event : events) play(event.moved(lines), beyond);
      return;
    }
    const std::size_t first = solo_.out->size();
    if (gathered) solo_.out->note_gathered();
    const Pattern pattern = !gathered ? Pattern::affine : random_ ? Pattern::random : Pattern::regular;
    sets_.masked() ? play_solo<true>(events, lines, beyond, pattern) : play_solo<false>(events, lines, beyond, pattern);
    settle(first);
  }
  [[nodiscard]] bool keeps_latest() const override { return Sets::renews_on_use && Sets::by_modulo; }
  [[nodiscard]] std::uint32_t ways() const { return ways_; }
  [[nodiscard]] std::uint64_t lookups() const override { return lookups_; }
  [[nodiscard]] std::uint64_t exchanges() const override { return exchanges_; }

  [[nodiscard]] std::uint64_t entries() const override { return Sets::tells_state ? entries_ : 0; }
  [[nodiscard]] std::uint64_t occupied() const override {
    if constexpr (Sets::tells_state) return sets_.occupied();
    return 0;
  }
  void save(LevelState& state, bool sparse) const override {
    if constexpr (Sets::tells_state) sets_.save(state, sparse);
  }
  [[nodiscard]] bool is_moved(const LevelState& state, bool sparse, std::int64_t lines) const override {
    if constexpr (Sets::tells_state) return sets_.is_moved(state, sparse, lines);
    return false;
  }
  [[nodiscard]] bool keeps_owners(const Owner& owner, std::int64_t lines) const override {
    if constexpr (Sets::tells_state) return sets_.keeps_owners(owner, lines);
    return false;
  }
  [[nodiscard]] std::uint32_t cycle() const override {
    if constexpr (!Sets::is_order) return sets_.cycle();
    return 1;
  }
  void move(std::int64_t lines) override {
    if constexpr (Sets::tells_state) sets_.move(lines);
  }

  // What a reduced run needs of its level.
  bool retouch(std::uint64_t line) { return sets_.hit(line, true, false); }
  void touch(std::uint64_t line, std::uint32_t bytes, Kind kind) {
    if (kind == Kind::nontemporal) {
      beyond_->nontemporal_passed(Event::of(line, Event::nontemporal, bytes));
    } else if (sets_.hit(line, true, kind == Kind::store)) {
      return;
    } else if (solo_.out == nullptr) {
      kind == Kind::store ? beyond_->store_missed(line, bytes) : beyond_->fetch_missed(line, Event::demand);
    } else {
      Event* out = solo_.out->room(1);
      *out = Event::of(line, kind == Kind::store ? Event::write_allocate : Event::demand);
      solo_.out->wrote(out + 1);
      const Used used = insert(line, kind == Kind::store);
      if (used.dirty_victim()) solo_.out->push(Event::of(used.victim(), Event::write_back));
    }
  }
  void streamed(std::uint64_t line, std::uint64_t bytes) { beyond_->streamed(line, bytes); }

 private:
  static constexpr std::size_t ahead = 16;  ///< events; long enough for the sets of a large cache to arrive
  static constexpr std::uint64_t fits_our_cache = 1U
                                                  << 16U;  ///< entries of 4 bytes: in the L2 of the machine we run on

  HWY_INLINE void play(Event event, Beyond& beyond) {
    const std::uint64_t line = event.line();
    switch (event.kind()) {
      case Event::demand:
      case Event::write_allocate:
      case Event::prefetch:
        if (!sets_.hit(line, true, false)) beyond.fetch_missed(line, event.kind());
        break;
      case Event::store:
        if (!sets_.hit(line, store_promotes_, write_back_)) {
          beyond.store_missed(line, event.bytes());
        } else if (!write_back_) {
          beyond.stored_through(line, event.bytes());
        }
        break;
      case Event::write_back:
        if (!sets_.hit(line, store_promotes_, write_back_)) {
          beyond.write_back_missed(line);
        } else if (!write_back_) {
          beyond.written_through(line);
        }
        break;
      case Event::nontemporal:
      case Event::nontemporal_dirty:
        beyond.nontemporal_passed(event);
        break;
    }
  }

  /// The loop that everything else is there to keep short. What is sent on is written always, and kept if it is so.
  template <bool masked, Pattern pattern>
  void play_solo(std::span<const Event> events, std::int64_t lines, Beyond& beyond) {
    Tape& tape = *solo_.out;
    const std::size_t count = events.size();
    const bool large = entries_ > fits_our_cache;
    Event* out = tape.room(2 * count);
    std::size_t passed = 0, latest = 0, hits = 0;  // hits: latest, of the line used last in its set; and others
    typename Sets::template Rows<masked, pattern> rows(sets_);
    for (std::size_t from = 0, to = 0; from < count; from = to) {
      to = std::min(from + ahead, count);
      if (large) {
        for (const Event event : events.subspan(to, std::min(ahead, count - to)))
          rows.prefetch(event.moved(lines).line());
      }
      for (std::size_t i = from; i < to; ++i) {
        const Event event = events[i].moved(lines);
        if (event.has(Event::passes_caches)) [[unlikely]] {
          ++passed;
          tape.wrote(out);
          beyond.nontemporal_passed(event);
          out = tape.room(2 * (count - i));
          continue;
        }
        const std::uint64_t line = event.line();
        const bool dirty = event.has(Event::makes_dirty);
        if (pattern == Pattern::regular && rows.use_latest(line, dirty)) {
          ++latest;
          continue;
        }
        const Touched touched = rows.use(line, dirty);
        if constexpr (pattern == Pattern::random) {  // no branch, as in Rows
          const std::ptrdiff_t hit = touched.hit, missed = hit ^ 1;
          hits += static_cast<std::size_t>(hit);
          *out = Event::fetch(event);
          out += missed & (event.has(Event::fetches_not) ? 0 : 1);
          *out = written_back(touched.entry);
          out += missed & static_cast<std::ptrdiff_t>(touched.entry & 1U);
          continue;
        }
        if (touched.hit) {
          ++hits;
          continue;
        }
        *out = Event::fetch(event);
        out += event.has(Event::fetches_not) ? 0 : 1;
        *out = written_back(touched.entry);
        out += touched.entry & 1U;
      }
    }
    tape.wrote(out);
    exchanges_ += count - passed - latest - hits;
    if (pattern != Pattern::affine) {  // the next batch will be like this one
      constexpr std::size_t worth_a_branch = 8;
      const std::size_t all_hits = hits + latest;
      random_ = std::min(all_hits, count - all_hits) * worth_a_branch > count;
    }
  }
  template <bool masked>
  void play_solo(std::span<const Event> events, std::int64_t lines, Beyond& beyond, Pattern pattern) {
    if (pattern == Pattern::random) {
      play_solo<masked, Pattern::random>(events, lines, beyond);
    } else if (pattern == Pattern::regular) {
      play_solo<masked, Pattern::regular>(events, lines, beyond);
    } else {
      play_solo<masked, Pattern::affine>(events, lines, beyond);
    }
  }
  static Event written_back(std::uint64_t entry) { return Event::of((entry >> 1U) - 1, Event::write_back); }

  /// Counts what was sent on since the tape held `first` events.
  void settle(std::size_t first) {
    if (solo_.out == nullptr) return;
    const std::span<const Event> sent = solo_.out->events_from(first);
    tally_.count(sent, *solo_.owner);
    const Tally::Lines lines = tally_.take(solo_.flows, line_bytes_);
    solo_.out->asked(lines.demand, lines.write_allocate);
    solo_.count->load_misses += lines.demand;
    solo_.count->store_misses += lines.write_allocate;
    if (solo_.before_memory) solo_.out->clear();
  }

  Sets sets_;
  std::uint64_t line_bytes_;
  bool write_back_, store_promotes_;
  bool plain_;  ///< runs may be reduced: every store leaves its mark in this level and nowhere else
  std::uint32_t ways_;
  std::uint64_t entries_;
  Beyond* beyond_ = nullptr;
  std::uint64_t lookups_ = 0, exchanges_ = 0;
  bool random_ = true;  ///< do gathered events hit and miss so that it cannot be foreseen?
  Solo solo_{};
  Tally tally_;
  ReducedRun<LevelOf> reduced_;
};

}  // namespace mansard::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
