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
#include "cache/reduced_run-inl.hpp"

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
        shift_(std::countr_zero(line_bytes)),
        write_back_(g.write_back),
        store_promotes_(g.store_promotes),
        plain_(Sets::is_order && g.write_back && g.allocate && g.store_promotes),
        ways_(g.ways),
        entries_(g.sets * g.ways),
        reduced_(*this, shift_) {}
  LevelOf(const LevelOf&) = delete;  // reduced_ refers to this level
  LevelOf& operator=(const LevelOf&) = delete;
  ~LevelOf() override = default;

  bool hit(std::uint64_t line, bool renew, bool mark) override { return sets_.hit(line, renew, mark); }
  std::optional<Victim> insert(std::uint64_t line, bool dirty) override {
    if (reduced_.watching()) reduced_.before_eviction([&] { return sets_.oldest(line); });
    return sets_.insert(line, dirty);
  }
  std::optional<bool> remove(std::uint64_t line) override {
    reduced_.before_removal(line);
    return sets_.remove(line);
  }
  [[nodiscard]] bool is_dirty(std::uint64_t line) const override { return sets_.is_dirty(line); }
  void visit_dirty(const std::function<void(std::uint64_t)>& visitor) const override { sets_.visit_dirty(visitor); }
  void clean() override { sets_.clean(); }

  void go_solo(const Solo& solo) override { solo_ = solo; }

  ByKind access(const Run& run, Outside& outside) override {
    outside_ = &outside;
    if (plain_ && reduced_.run(run)) {
      lookups_ += reduced_.touches();
      return {};
    }
    lookups_ += run.count * run.refs.size();
    streams_.clear();
    for (std::size_t r = 0; r < run.refs.size(); ++r) {
      streams_.push_back({static_cast<std::uint64_t>(run.base[r]), static_cast<std::uint64_t>(run.stride[r]),
                          run.refs[r].bytes, run.refs[r].kind});
    }
    ByKind straddles;
    for (std::uint64_t n = 0; n < run.count; ++n) {
      for (Stream& s : streams_) {
        touch(s.address, s.bytes, s.kind, outside, straddles);
        s.address += s.stride;  // modulo 2^64: also right for a negative stride
      }
    }
    return straddles;
  }

  ByKind access(std::span<const Element> elements, Outside& outside) override {
    ByKind straddles;
    for (const Element& e : elements) touch(e.address, e.bytes, e.kind, outside, straddles);
    lookups_ += elements.size();
    return straddles;
  }
  void play(std::span<const Event> events, std::int64_t lines, Beyond& beyond, LevelCount& count) override {
    constexpr std::size_t ahead = 12;  // events; long enough for a set of a large cache to arrive
    lookups_ += events.size();
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (i + ahead < events.size()) sets_.prefetch(events[i + ahead].moved(lines).line());
      const Event event = events[i].moved(lines);
      const std::uint64_t line = event.line();
      switch (event.kind()) {
        case Event::demand:
          if (sets_.hit(line, true, false)) {
            ++count.load_hits;
          } else if (solo_.owner != nullptr) {
            ++count.load_misses;
            solo_fetch(line, Event::demand, false);
          } else {
            beyond.fetch_missed(line, Event::demand);
          }
          break;
        case Event::write_allocate:
          if (sets_.hit(line, true, false)) {
            ++count.store_hits;
          } else if (solo_.owner != nullptr) {
            ++count.store_misses;
            solo_fetch(line, Event::write_allocate, false);
          } else {
            beyond.fetch_missed(line, Event::write_allocate);
          }
          break;
        case Event::prefetch:  // is no look-up by demand
          if (sets_.hit(line, true, false)) break;
          if (solo_.owner != nullptr) {
            solo_fetch(line, Event::prefetch, false);
          } else {
            beyond.fetch_missed(line, Event::prefetch);
          }
          break;
        case Event::write_back:
          if (!sets_.hit(line, store_promotes_, write_back_)) {
            if (solo_.owner != nullptr) {
              solo_insert(line, true);
            } else {
              beyond.write_back_missed(line);
            }
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
  }
  [[nodiscard]] std::uint64_t lookups() const override { return lookups_; }

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
  void touch(std::uint64_t line, std::uint32_t bytes, Kind kind) { touch_line(line, bytes, kind, *outside_); }
  void streamed(std::uint64_t line, std::uint64_t bytes) { outside_->streamed(line, bytes); }
  /// So many lines that were used last are sure to be there.
  [[nodiscard]] std::uint32_t keeps_latest() const { return Sets::renews_on_use ? ways_ : 1; }

 private:
  struct Stream {
    std::uint64_t address, stride;
    std::uint32_t bytes;
    Kind kind;
  };

  void touch(std::uint64_t address, std::uint32_t bytes, Kind kind, Outside& outside, ByKind& straddles) {
    const std::uint64_t line = address >> shift_;
    const std::uint64_t room = line_bytes_ - (address & (line_bytes_ - 1));
    if (bytes <= room) [[likely]] {
      touch_line(line, bytes, kind, outside);
    } else {
      straddles[kind] += ((address + bytes - 1) >> shift_) - line;
      touch_each(address, bytes, kind, outside);
    }
  }

  void touch_each(std::uint64_t address, std::uint32_t bytes, Kind kind, Outside& outside) {
    while (bytes > 0) {
      const auto room = static_cast<std::uint32_t>(line_bytes_ - (address & (line_bytes_ - 1)));
      const std::uint32_t part = std::min(bytes, room);
      touch_line(address >> shift_, part, kind, outside);
      address += part;
      bytes -= part;
    }
  }

  HWY_INLINE void touch_line(std::uint64_t line, std::uint32_t bytes, Kind kind, Outside& outside) {
    if (kind == Kind::load) {
      if (sets_.hit(line, true, false)) return;
      if (solo_.owner != nullptr) {
        ++solo_.count->load_misses;
        solo_fetch(line, Event::demand, false);
      } else {
        outside.load_miss(line);
      }
    } else if (kind == Kind::store) {
      if (!sets_.hit(line, store_promotes_, write_back_)) {
        if (solo_.owner != nullptr) {
          ++solo_.count->store_misses;
          solo_fetch(line, Event::write_allocate, true);
        } else {
          outside.store_miss(line, bytes);
        }
      } else if (!write_back_) {
        outside.store_through(line, bytes);
      }
    } else {
      outside.nontemporal(line, bytes);
    }
  }

  HWY_INLINE void solo_fetch(std::uint64_t line, Event::Kind cause, bool dirty) {
    Flow& flow = solo_.flows[(*solo_.owner)(line)];
    (cause == Event::demand     ? flow.demand_fills
     : cause == Event::prefetch ? flow.prefetch
                                : flow.write_allocate) += solo_.line_bytes;
    if (solo_.out != nullptr) solo_.out->push(Event::of(line, cause));
    solo_insert(line, dirty);
  }
  HWY_INLINE void solo_insert(std::uint64_t line, bool dirty) {
    if (reduced_.watching()) reduced_.before_eviction([&] { return sets_.oldest(line); });
    const std::optional<Victim> victim = sets_.insert(line, dirty);
    if (!victim || !victim->dirty) return;
    solo_.flows[(*solo_.owner)(victim->line)].write_back += solo_.line_bytes;
    if (solo_.out != nullptr) solo_.out->push(Event::of(victim->line, Event::write_back));
  }

  Sets sets_;
  std::uint64_t line_bytes_;
  int shift_;
  bool write_back_, store_promotes_;
  bool plain_;  ///< runs may be reduced: every store leaves its mark in this level and nowhere else
  std::uint32_t ways_;
  std::uint64_t entries_;
  Outside* outside_ = nullptr;
  std::uint64_t lookups_ = 0;
  Solo solo_{};
  ReducedRun<LevelOf> reduced_;
  std::vector<Stream> streams_;  // kept between runs for its memory
};

}  // namespace mansard::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
