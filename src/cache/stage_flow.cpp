// The parts of a stage around the simulation proper: batches, requests, and what passes between stages.
#include <algorithm>

#include "cache/stage.hpp"
#include "cache/warp.hpp"

namespace mansard {
namespace {

constexpr std::size_t hand_on_at = std::size_t{1} << 13U;  // events: stay in the cache of the machine we run on
constexpr std::size_t spill_at = std::size_t{1} << 22U;    // events kept of one iteration at most (32 MiB)

constexpr std::uint64_t fewest_cycles = 4;  // of a loop, before it is looked at in cycles

std::uint64_t& asked(Flow& flow, Kind kind) {
  return kind == Kind::load ? flow.demand_fills : kind == Kind::store ? flow.write_back : flow.nontemporal;
}

}  // namespace

template <class Iterations>  // Run or Gather
ByKind Stage::account(const Iterations& iterations) {
  ByKind requests;
  if constexpr (std::is_same_v<Iterations, Gather>) requests = account(iterations.between);
  for (const StreamRef& ref : iterations.refs) {
    requests[ref.kind] += iterations.count;
    asked(counts_.flows[owner_.first_column(ref.array)], ref.kind) += iterations.count * ref.bytes;
  }
  return requests;
}

void Stage::consume(const Batch& batch) {
  std::visit([this](const auto& accesses) { consume(account(accesses), [&] { return front_end_->play(accesses); }); },
             batch);
}

void Stage::consume(std::span<const Event> events, std::span<const Requested> requested) {
  consume(account(requested), [&] {
    front_end_->play(events);
    return ByKind{};
  });
}

/// `play` returns the look-ups in excess of one per request.
template <class Play>
void Stage::consume(ByKind requests, const Play& play) {
  const ByKind straddles = play();
  // All look-ups count as hits in the first level until they miss, so that counting hits costs nothing.
  LevelCount& count = counts_.levels[begin_];
  const std::uint64_t loads = requests.loads + straddles.loads, stores = requests.stores + straddles.stores;
  count.load_hits += loads;
  count.store_hits += stores;
  counts_.line_lookups += loads + stores + requests.nontemporal + straddles.nontemporal;
  counts_.loads += requests.loads;
  counts_.stores += requests.stores;
  counts_.nontemporal_stores += requests.nontemporal;
  if (out_.size() > (depth_ == 0 ? hand_on_at : spill_at)) flush();
}

ByKind Stage::account(std::span<const Requested> requested) {
  ByKind requests;
  for (const Requested& r : requested) {
    requests[r.kind] += r.accesses;
    asked(counts_.flows[owner_.first_column(r.array)], r.kind) += r.bytes;
  }
  return requests;
}

ByKind Stage::account(std::span<const Element> elements) {
  ByKind requests;
  for (const Element& e : elements) {
    ++requests[e.kind];
    asked(counts_.flows[owner_.first_column(e.array)], e.kind) += e.bytes;
  }
  return requests;
}

void Stage::play(const Tape& tape, std::size_t from, std::size_t to, std::int64_t lines) {
  for (std::size_t n = from; n < to; ++n) {
    const Tape::Node& node = tape.node(n);
    if (node.times > 0) {
      play_repeat(tape, node, lines);
    } else {
      LevelCount& count = counts_.levels[begin_];
      count.load_hits += node.demand;
      count.store_hits += node.write_allocate;
      {
        const TakenForHits all(count);
        levels_[0]->play(tape.events(node), lines, *this, tape.gathered());
      }
      if (out_.size() > (depth_ == 0 ? hand_on_at : spill_at)) flush();
    }
  }
}

void Stage::play_repeat(const Tape& tape, const Tape::Node& node, std::int64_t lines) {
  const std::uint64_t block = node.times / cycle() >= fewest_cycles ? cycle() : 1;
  std::uint64_t done = 0;
  const auto again = [&] {
    ++done;
    play(tape, node.begin, node.end, lines + static_cast<std::int64_t>(done) * node.lines);
  };
  {
    Warp warp(*this, node.lines * static_cast<std::int64_t>(block));
    while (node.times - done >= block) {
      warp.begin();
      for (std::uint64_t n = 0; n < block; ++n) again();
      const std::uint64_t remaining = (node.times - done) / block;
      if (warp.end(remaining)) done += remaining * block;
    }
  }
  while (done < node.times) again();
}

void Stage::hand_on(std::size_t from, std::size_t to) {
  if (next_ != nullptr && from < to) next_->play(out_, from, to, 0);
}

void Stage::flush() {
  catch_up();
  if (next_ == nullptr) return;
  hand_on(0, out_.mark());
  out_.clear();
  if (depth_ > 0) ++spills_;
  next_->flush();
}

Stage::~Stage() = default;

std::uint64_t Stage::occupied() const {
  std::uint64_t lines = 0;
  for (const auto& level : levels_) lines += level->occupied();
  return lines;
}

void Stage::catch_up() {
  if (front_end_) front_end_->finish();
}

std::uint32_t Stage::cycle() const {
  std::uint32_t longest = 1;
  for (const auto& level : levels_) longest = std::max(longest, level->cycle());
  return longest;
}

Stage::Loop& Stage::enter_loop() {
  catch_up();
  if (depth_ == 0) flush();
  if (loops_.size() == depth_) loops_.push_back(std::make_unique<Loop>(counts_, levels_.size()));
  return *loops_[depth_++];
}
void Stage::leave_loop() {
  if (--depth_ == 0) out_.clear();  // the last iteration has been handed on
}

std::size_t Stage::begin_iteration() {
  catch_up();
  if (depth_ == 1) out_.clear();  // the iteration before has been handed on
  return out_.mark();
}

void Stage::end_iteration(std::size_t mark) {
  catch_up();
  const std::size_t end = out_.mark();
  if (depth_ == 1) hand_on(mark, end);
}

void Stage::repeat_iteration(std::size_t mark, std::uint64_t times, std::int64_t lines) {
  const std::size_t end = out_.mark();
  if (next_ == nullptr) return;
  out_.repeat(mark, end, times, lines);
  if (depth_ == 1) hand_on(end, end + 1);
}

}  // namespace mansard
