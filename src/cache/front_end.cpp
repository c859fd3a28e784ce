#include "cache/front_end.hpp"

#include <algorithm>
#include <bit>

namespace mansard {

FrontEnd::FrontEnd(Level& first, Beyond& beyond, const LevelGeometry& geometry, std::uint32_t line_bytes,
                   bool invalidated, bool prefetched, bool combines, const Share& share, LevelCount& count)
    : first_(first),
      beyond_(beyond),
      sets_(geometry.sets),
      ways_(geometry.ways),
      shift_(std::countr_zero(line_bytes)),
      line_bytes_(line_bytes),
      ordered_(first.keeps_latest() && geometry.write_back && geometry.allocate && geometry.store_promotes),
      may_reduce_(ordered_ && !invalidated),
      prefetched_(prefetched),
      combines_(combines),
      share_(share),
      count_(count),
      events_(piece) {}

ByKind FrontEnd::play(const Run& run) {
  if (combines_ && std::ranges::any_of(run.refs, [](auto& ref) { return ref.kind == Kind::nontemporal; }))
    return play_all(run);
  const bool alike = std::ranges::all_of(run.stride, [&](Int stride) { return stride == run.stride[0]; });
  if (may_reduce_ && !alike) return play_as_columns(run);
  if (reducible(run)) {
    play_reduced(run);
    return {};
  }
  if (reduce_watched(run)) return {};
  return play_all(run);
}

ByKind FrontEnd::play_all(const Run& run) {
  gathered_ = true;
  ByKind straddles;
  for (std::uint64_t n = 0; n < run.count; ++n) {
    for (std::size_t r = 0; r < run.refs.size(); ++r) {
      const StreamRef& ref = run.refs[r];
      const Int address = run.base[r] + static_cast<Int>(n) * run.stride[r];
      push({static_cast<std::uint64_t>(address), ref.array, ref.bytes, ref.kind}, straddles);
    }
  }
  return straddles;
}

ByKind FrontEnd::play(std::span<const Element> elements) {
  gathered_ = true;
  ByKind straddles;
  for (const Element& e : elements) push(e, straddles);
  return straddles;
}

void FrontEnd::push(std::uint64_t line, Kind kind, std::uint32_t bytes) {
  if (used_ == events_.size()) [[unlikely]]
    finish();
  events_[used_] = Event::of(line, event_kind(kind), bytes);
  used_ += share_.has(line);
}

void FrontEnd::push(const Element& e, ByKind& straddles) {
  if ((e.address & (line_bytes_ - 1)) + e.bytes <= line_bytes_) [[likely]] {
    push(e.address >> shift_, e.kind, e.bytes);
  } else {
    push_straddling(e, straddles);
  }
}

void FrontEnd::push_straddling(const Element& element, ByKind& straddles) {
  std::uint64_t address = element.address;
  std::uint32_t bytes = element.bytes;
  straddles[element.kind] += ((address + bytes - 1) >> shift_) - (address >> shift_);
  while (bytes > 0) {
    const auto room = static_cast<std::uint32_t>(line_bytes_ - (address & (line_bytes_ - 1)));
    const std::uint32_t part = std::min(bytes, room);
    push(address >> shift_, element.kind, part);
    address += part;
    bytes -= part;
  }
}

void FrontEnd::finish() {
  if (used_ == 0) return;
  const TakenForHits all(count_);
  first_.play(std::span(events_).first(used_), 0, beyond_, gathered_);
  used_ = 0;
  gathered_ = false;
}

bool FrontEnd::reduce_watched(const Run& run) {
  if (!share_.everything()) return false;
  // A streaming store takes its line out of all caches. The next one to the line may only be left out if it cannot have
  // come back, and a prefetcher may bring it.
  const bool streams = std::ranges::any_of(run.refs, [](auto& ref) { return ref.kind == Kind::nontemporal; });
  if (streams && prefetched_) return false;
  finish();
  const TakenForHits all(count_);
  return first_.reduce(run, beyond_, fits(run));
}

void FrontEnd::play(std::span<const Event> events) {
  for (const Event event : events) {
    if (used_ == events_.size()) [[unlikely]]
      finish();
    events_[used_] = event;
    used_ += share_.has(event.line());
  }
}

/// Is it known beforehand which touches of the run change nothing? See docs/engine.md, "Reduced streams".
bool FrontEnd::reducible(const Run& run) { return may_reduce_ && fits(run); }

/// … as long as no line is taken out?
bool FrontEnd::fits(const Run& run) {
  constexpr std::uint64_t shortest = 8;  // iterations: some at the start and the last one are made in full
  if (!ordered_ || run.count < shortest || run.refs.empty()) return false;
  return plan_touches(run, shift_, plan_) && plan_.one_stride && fits_sets(run);
}

/// Do all lines that are touched while a line is live fit into its set, whatever the line? A line is live from the time
/// the first reference of its stream enters it until the last one leaves it. With one stride for all, the references of
/// another stream are between fixed distances of the line in that time.
bool FrontEnd::fits_sets(const Run& run) {
  const std::vector<TouchStream>& streams = plan_.streams;
  constexpr std::uint64_t reach = 4;  // lines that one stream touches in that time, at most
  if (streams.size() <= ways_ && sets_ >= reach) return true;
  bool known = gaps_.size() == 2 * streams.size();
  gaps_.resize(2 * streams.size());
  for (std::size_t s = 0; s < streams.size(); ++s) {
    const Int lead = run.base[streams[s].lead] - run.base[streams[0].lead];
    const Int trail = run.base[streams[s].trail] - run.base[streams[0].lead];
    known = known && gaps_[2 * s] == lead && gaps_[2 * s + 1] == trail;
    gaps_[2 * s] = lead;
    gaps_[2 * s + 1] = trail;
  }
  if (known) return fits_;
  const bool up = run.stride.front() > 0;
  const auto sets = static_cast<Int>(sets_);
  fits_ = std::ranges::all_of(streams, [&](const TouchStream& line) {
    Int in_set = 0;
    for (const TouchStream& other : streams) {
      Int low = run.base[other.trail] - run.base[line.lead];
      Int high = run.base[other.lead] - run.base[line.trail];
      if (!up) std::swap(low, high);
      low >>= shift_;
      high = (high + static_cast<Int>(line_bytes_) - 1) >> shift_;
      in_set += floor_div(high, sets) - floor_div(low - 1, sets);
    }
    return in_set <= static_cast<Int>(ways_);
  });
  return fits_;
}

/// Iterations to make in full at the start. One, unless there are lines then between the first store of a stream and
/// its last reference: they may be clean, though stores of the stream have passed them. So many that the last reference
/// has come to where the first store started.
std::uint64_t FrontEnd::settling(const Run& run) const {
  std::uint64_t full = 1;
  for (const TouchStream& stream : plan_.streams) {
    if (stream.store == TouchStream::no_store || line_of(run, stream.store, 0) == line_of(run, stream.trail, 0))
      continue;
    const Int distance = std::abs(run.base[stream.store] - run.base[stream.trail]);
    full = std::max(full, static_cast<std::uint64_t>(distance / std::abs(run.stride[stream.trail])) + plan_.period);
  }
  return full;
}

void FrontEnd::play_reduced(const Run& run) {
  const std::uint64_t last = run.count - 1;
  const std::uint64_t full = std::min(settling(run), last);
  for (std::uint64_t n = 0; n < full; ++n) iterate(run, n);
  // The live lines in the order in which they will be left: entered before, they get no entry any more.
  const std::uint64_t now = full - 1;
  for (const bool wrapped : {false, true}) {
    for (const Touch& t : plan_.exits) {
      if ((t.offset >= now % plan_.period) == wrapped) continue;
      push(line_of(run, t.ref, now), Kind::load, 0);
    }
  }
  push_entries(run, now, last);
  iterate(run, last);
}

/// The entries of the iterations between `after` and `before`.
void FrontEnd::push_entries(const Run& run, std::uint64_t after, std::uint64_t before) {
  const std::vector<Touch>& touches = plan_.entries;
  const std::uint64_t period = plan_.period;
  std::uint64_t p = after / period;
  at_.resize(touches.size());
  step_.resize(touches.size());
  for (std::size_t t = 0; t < touches.size(); ++t) {
    const Touch& touch = touches[t];
    const std::uint64_t line = line_of(run, touch.ref, 0) + static_cast<std::uint64_t>(touch.line) +
                               p * static_cast<std::uint64_t>(touch.lines_per_period);
    at_[t] = Event::of(line, event_kind(touch.kind), run.refs[touch.ref].bytes).packed;
    step_[t] = static_cast<std::uint64_t>(touch.lines_per_period) << 16U;
  }
  const std::uint64_t whole_from = (after + period - 1) / period, whole_to = (before - 1) / period;
  const auto partly = [&](std::uint64_t to) {
    for (; p < to; ++p) push_period(p * period, after, before);
  };
  partly(std::min(whole_from, (before + period - 1) / period));
  if (p < whole_to) {
    share_.everything() || whole_to - p < 4 * share_.classes ? push_whole(whole_to - p) : push_turns(whole_to - p);
    p = whole_to;
  }
  partly((before + period - 1) / period);
}

/// Of the period that starts with iteration `start`, what lies between `after` and `before`.
void FrontEnd::push_period(std::uint64_t start, std::uint64_t after, std::uint64_t before) {
  make_room(at_.size());
  for (std::size_t t = 0; t < at_.size(); ++t) {
    const std::uint64_t iteration = start + plan_.entries[t].offset;
    events_[used_].packed = at_[t];
    const bool counts = iteration > after && iteration < before;
    used_ += counts ? share_.has(events_[used_].line()) : 0;
    at_[t] += step_[t];
  }
}

void FrontEnd::push_whole(std::uint64_t periods) {
  const Share share = share_;
  const bool everything = share.everything();
  for (; periods > 0; --periods) {
    make_room(at_.size());
    Event* event = events_.data() + used_;
    for (std::size_t t = 0; t < at_.size(); ++t) {
      event->packed = at_[t];
      event += everything ? 1 : share.has(event->line());
      at_[t] += step_[t];
    }
    used_ = static_cast<std::size_t>(event - events_.data());
  }
}

/// The same for a share of few classes: which touches it has is again the same after as many periods as there are
/// classes.
void FrontEnd::push_turns(std::uint64_t periods) {
  turns_.resize(share_.classes);
  for (std::uint64_t turn = 0; turn < share_.classes; ++turn) {
    turns_[turn].clear();
    for (std::size_t t = 0; t < at_.size(); ++t) {
      const Event event{at_[t] + turn * step_[t]};
      if (share_.has(event.line()) != 0) turns_[turn].push_back({event.packed, share_.classes * step_[t]});
    }
  }
  for (std::uint64_t p = 0; p < periods; ++p) {
    std::vector<Turn>& turn = turns_[p & (share_.classes - 1)];
    make_room(turn.size());
    Event* event = events_.data() + used_;
    for (Turn& touch : turn) {
      (event++)->packed = touch.at;
      touch.at += touch.step;
    }
    used_ += turn.size();
  }
  for (std::size_t t = 0; t < at_.size(); ++t) at_[t] += periods * step_[t];
}

void FrontEnd::iterate(const Run& run, std::uint64_t n) {
  for (std::size_t r = 0; r < run.refs.size(); ++r) push(line_of(run, r, n), run.refs[r].kind, run.refs[r].bytes);
}

}  // namespace mansard
