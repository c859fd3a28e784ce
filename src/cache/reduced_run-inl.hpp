// An affine run at the first cache, with the touches that cannot change anything left out. Exact for caches whose sets
// are an order of lines (LRU, FIFO): what is left out hits, and where it would have made a difference, it is made up
// for.
#if defined(MANSARD_CACHE_REDUCED_RUN_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef MANSARD_CACHE_REDUCED_RUN_INL
#undef MANSARD_CACHE_REDUCED_RUN_INL
#else
#define MANSARD_CACHE_REDUCED_RUN_INL
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "cache/touch_plan.hpp"
#include "stream/program.hpp"

HWY_BEFORE_NAMESPACE();
namespace mansard::HWY_NAMESPACE {

/// Watches a reduced run for the one thing that can go wrong. A line is live from its first to its last touch by a
/// stream. As long as no live line is evicted, all left-out touches hit, and since they would only have made live lines
/// newer, the oldest line is the same with and without them. When the oldest line is a live one, `refresh` makes the
/// touches of the last iteration up for: then the order is the true one. If a live line is the oldest all the same, it
/// goes, the touches to come are no longer hits, and the run goes on element by element for a while.
///
/// `First` is the first level: keeps_latest() and ways() as Level has them, bool retouch(line) renews a line that is
/// there, void touch(line, bytes, kind) makes an access with everything that follows from it, void streamed(line,
/// bytes) counts non-temporal stores to a line that is cached nowhere.
template <class First>
class ReducedRun {
 public:
  ReducedRun(First& first, int line_shift) : first_(first), shift_(line_shift) {}

  /// False if the run cannot be reduced, or is not worth it; then nothing has happened.
  /// `fits`: evictions need not be watched.
  bool run(const Run& run, bool fits) {
    constexpr std::uint64_t shortest = 8;  // iterations: first and last are always made in full
    if (run.count < shortest || run.refs.empty()) return false;
    if (resting_ > 0) return --resting_, false;
    if (!plan_touches(run, shift_, plan_)) return false;
    run_ = &run;
    fits_ = fits;
    base_line_.resize(run.refs.size());
    for (std::size_t r = 0; r < run.refs.size(); ++r) base_line_[r] = line_of(r, 0);
    touches_ = 0;
    broken_times_ = 0;
    std::uint64_t n = 0;
    while (n < run.count) n = stretch(n);
    // Where nearly nothing could be left out, the next runs of this kind will not do better.
    failures_ = touches_ * 4 > run.count * run.refs.size() * 3 ? failures_ + 1 : 0;
    constexpr std::uint32_t most_rest = 6;
    if (failures_ > 0) resting_ = 1U << (failures_ < most_rest ? failures_ : most_rest);
    return true;
  }

  [[nodiscard]] bool watches_evictions() const { return watching_ && !fits_; }
  [[nodiscard]] std::uint64_t touches() const { return touches_; }  ///< made for the last run

  /// The first level is about to evict; `oldest()` tells which line.
  template <class Oldest>
  void before_eviction(const Oldest& oldest) {
    const std::optional<std::uint64_t> line = oldest();
    if (!line || !live(*line)) return;
    refresh(false);
    disturbed_ = true;
    const std::optional<std::uint64_t> truly = oldest();
    broken_ = broken_ || (truly && live(*truly));
  }

  /// A level below has taken the line out of the first level.
  void removed(std::uint64_t line) {
    removed_ = true;
    if (!watching_ || !live(line)) return;
    disturbed_ = broken_ = true;
  }

 private:
  /// A full iteration, reduced iterations up to a disturbance or the end, a full last iteration. Returns the next one.
  std::uint64_t stretch(std::uint64_t n) {
    const std::uint64_t last = run_->count - 1;
    removed_ = false;
    iterate(n, 0);
    if (n == last) return n + 1;
    if (!all_there(n) || !all_dirty(n)) return pause(n + 1);
    start(n);
    const std::vector<Touch>& touches = plan_.equal_windows ? plan_.entries : plan_.both;
    for (std::uint64_t period = n / plan_.period; period * plan_.period < last; ++period) {
      for (const Touch& t : touches) {
        const std::uint64_t iteration = period * plan_.period + t.offset;
        if (iteration <= n) continue;
        if (iteration >= last) break;
        make(t, period, iteration);
        if (disturbed_) [[unlikely]]
          return after_disturbance(n, t, iteration);
      }
    }
    return finish(n, last);
  }

  /// The last iteration in full, which leaves the live lines in their true order. Until then it must be watched.
  std::uint64_t finish(std::uint64_t started, std::uint64_t last) {
    settle(started, last, 0);
    iteration_ = last;
    for (ref_ = 0; ref_ < run_->refs.size(); ++ref_) {
      const std::uint64_t line = line_of(ref_, last);
      if (line != line_of(ref_, last - 1)) enter_last(line);
      first_.touch(line, run_->refs[ref_].bytes, run_->refs[ref_].kind);
      ++touches_;
      if (disturbed_) [[unlikely]] {
        watching_ = false;
        refresh(true);
        iterate(last, ref_ + 1);
        break;
      }
    }
    watching_ = false;
    return last + 1;
  }
  void enter_last(std::uint64_t line) {
    if (run_->refs[ref_].kind == Kind::nontemporal) return;
    for (std::size_t s = 0; s < plan_.streams.size(); ++s) {
      place(s, ref_ == plan_.streams[s].lead, ref_ == plan_.streams[s].trail, line);
    }
  }

  void make(const Touch& t, std::uint64_t period, std::uint64_t iteration) {
    const std::uint64_t line = base_line_[t.ref] + static_cast<std::uint64_t>(t.line) +
                               period * static_cast<std::uint64_t>(t.lines_per_period);
    iteration_ = iteration;
    ref_ = t.ref;
    const TouchStream& s = plan_.streams[t.stream];
    const bool brings_in = t.kind != Kind::nontemporal;
    if (brings_in && (t.ref == s.lead || t.ref == s.trail)) place(t.stream, t.ref == s.lead, t.ref == s.trail, line);
    first_.touch(line, run_->refs[t.ref].bytes, t.kind);
    ++touches_;
  }

  std::uint64_t after_disturbance(std::uint64_t started, const Touch& t, std::uint64_t iteration) {
    watching_ = false;
    refresh(true);
    settle(started, iteration, t.ref + std::size_t{1});
    iterate(iteration, t.ref + std::size_t{1});
    return broken_ ? pause(iteration + 1) : iteration + 1;
  }

  /// Counts the bytes of the non-temporal stores left out since the full iteration `started`, up to iteration `end`,
  /// of which the references before `refs` are done.
  void settle(std::uint64_t started, std::uint64_t end, std::size_t refs) {
    for (std::size_t r = 0; r < run_->refs.size(); ++r) {
      if (run_->refs[r].kind != Kind::nontemporal) continue;
      const std::uint64_t stop = end + (r < refs ? 1U : 0U);
      for (std::uint64_t n = started + 1; n < stop;) {
        const std::uint64_t line = line_of(r, n);
        std::uint64_t left_out = line == line_of(r, n - 1) ? 1 : 0;  // else the first one was an entry
        for (++n; n < stop && line_of(r, n) == line; ++n) ++left_out;
        first_.streamed(line, left_out * run_->refs[r].bytes);
      }
    }
  }

  /// Element by element, longer each time.
  std::uint64_t pause(std::uint64_t n) {
    constexpr std::uint32_t most_doublings = 20;
    const std::uint64_t length = std::uint64_t{plan_.period} << std::min(broken_times_++, most_doublings);
    const std::uint64_t end = std::min(run_->count, n + length);
    for (; n < end; ++n) iterate(n, 0);
    return n;
  }

  void iterate(std::uint64_t n, std::size_t from) {
    for (std::size_t r = from; r < run_->refs.size(); ++r) {
      first_.touch(line_of(r, n), run_->refs[r].bytes, run_->refs[r].kind);
    }
    touches_ += run_->refs.size() - from;
  }

  /// Did every line of iteration n stay? Sure without looking if a set keeps that many of the latest.
  bool all_there(std::uint64_t n) {
    if (run_->refs.size() <= (first_.keeps_latest() ? first_.ways() : 1) && !removed_) return true;
    bool there = true;
    for (std::size_t r = 0; r < run_->refs.size(); ++r) {
      if (run_->refs[r].kind == Kind::nontemporal) continue;
      there = first_.retouch(line_of(r, n)) && there;
    }
    return there;
  }

  /// Is every line that the first store of a stream has reached, and the last reference has not left, dirty? Later
  /// stores to it are left out. It is clean if the run started with the line between two stores of the stream, or if it
  /// was stored to, lost and loaded again in one iteration.
  [[nodiscard]] bool all_dirty(std::uint64_t n) const {
    for (const TouchStream& stream : plan_.streams) {
      if (stream.store == TouchStream::no_store) continue;
      const auto [low, high] = std::minmax({line_of(stream.store, n), line_of(stream.trail, n)});
      for (std::uint64_t line = low; line <= high; ++line) {
        if (!first_.is_dirty(line)) return false;
      }
    }
    return true;
  }

  /// After iteration n in full: which lines are live, and, where entries alone keep the order, the live lines in the
  /// order in which they will be left (entered before, they get no entry any more).
  void start(std::uint64_t n) {
    low_.resize(plan_.streams.size());
    width_.resize(plan_.streams.size());
    lead_.resize(plan_.streams.size());
    trail_.resize(plan_.streams.size());
    for (std::size_t s = 0; s < plan_.streams.size(); ++s) {
      const TouchStream& stream = plan_.streams[s];
      if (run_->refs[stream.lead].kind == Kind::nontemporal) {
        // Never in the cache: an empty range that no line falls into is a line that is never asked for.
        place(s, true, true, ~std::uint64_t{0} >> 1U);
        continue;
      }
      place(s, true, false, line_of(stream.lead, n));
      place(s, false, true, line_of(stream.trail, n));
    }
    if (plan_.equal_windows) {
      const std::uint32_t offset = static_cast<std::uint32_t>(n % plan_.period);
      for (const bool wrapped : {false, true}) {
        for (const Touch& t : plan_.exits) {
          if ((t.offset >= offset) == wrapped) continue;
          first_.retouch(line_of(t.ref, n));
          ++touches_;
        }
      }
    }
    disturbed_ = broken_ = false;
    watching_ = true;
  }

  void place(std::size_t stream, bool lead, bool trail, std::uint64_t line) {
    if (lead) lead_[stream] = line;
    if (trail) trail_[stream] = line;
    const std::uint64_t low = std::min(lead_[stream], trail_[stream]);
    low_[stream] = static_cast<std::uint32_t>(low);
    width_[stream] = static_cast<std::uint32_t>(std::max(lead_[stream], trail_[stream]) - low);
  }

  /// 32 bits may take a line 2^32 lines away for live: that costs time only.
  [[nodiscard]] bool live(std::uint64_t line) const {
    const auto short_line = static_cast<std::uint32_t>(line);
    std::uint32_t found = 0;
    for (std::size_t s = 0; s < low_.size(); ++s) {
      found |= static_cast<std::uint32_t>(short_line - low_[s] <= width_[s]);
    }
    return found != 0;
  }

  /// The accesses of one iteration up to the present one (with or without it) again, in order: all hits.
  void refresh(bool with_present) {
    const std::size_t split = ref_ + (with_present ? std::size_t{1} : std::size_t{0});
    for (std::size_t r = split; r < run_->refs.size(); ++r) again(r, iteration_ - 1);
    for (std::size_t r = 0; r < split; ++r) again(r, iteration_);
  }
  void again(std::size_t r, std::uint64_t n) {
    if (run_->refs[r].kind == Kind::nontemporal) return;
    first_.retouch(line_of(r, n));
    ++touches_;
  }

  [[nodiscard]] std::uint64_t line_of(std::size_t r, std::uint64_t n) const {
    const Int address = run_->base[r] + static_cast<Int>(n) * run_->stride[r];
    return static_cast<std::uint64_t>(address) >> shift_;
  }

  First& first_;
  int shift_;
  TouchPlan plan_;
  const Run* run_ = nullptr;
  std::vector<std::uint64_t> base_line_;     // per reference, in iteration 0
  std::vector<std::uint64_t> lead_, trail_;  // per stream: the lines its first and last reference are in
  std::vector<std::uint32_t> low_, width_;   // the same as ranges of live lines
  std::uint64_t iteration_ = 0;              // of the present touch
  std::size_t ref_ = 0;
  bool fits_ = false, watching_ = false, disturbed_ = false, broken_ = false, removed_ = false;
  std::uint32_t broken_times_ = 0;
  std::uint64_t touches_ = 0;
  std::uint32_t failures_ = 0, resting_ = 0;
};

}  // namespace mansard::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
