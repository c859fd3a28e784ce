#include "cache/fast_hierarchy.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

#include "cache/index_range.hpp"
#include "cache/warp.hpp"

namespace mansard {
namespace {

constexpr std::uint64_t piece = 4096;  // iterations of a long run: whole lines for nearly any stride
constexpr std::uint64_t long_run = 16 * piece;

/// Ends of the stages. Level k and the next one share a stage if k gets lines back from it (a victim cache), tells it
/// of single stores (write-through, no write-allocate), or is taken lines from by an inclusive level further out.
std::vector<std::size_t> stage_ends(const std::vector<LevelGeometry>& levels) {
  std::vector<bool> joined(levels.size(), false);  // with the level after
  bool forwards = false;  // does the level hand on single stores? A victim cache does with those that it gets
  for (std::size_t k = 0; k + 1 < levels.size(); ++k) {
    forwards = !levels[k].write_back || !levels[k].allocate || (levels[k].role == Role::victim && forwards);
    joined[k] = levels[k + 1].role == Role::victim || forwards;
  }
  for (std::size_t k = 0; k < levels.size(); ++k) {
    if (levels[k].role == Role::inclusive) std::fill_n(joined.begin(), k, true);
  }
  std::vector<std::size_t> ends;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    if (!joined[k]) ends.push_back(k + 1);
  }
  return ends;
}

/// Lines up to 2^31 can be held in 32 bits each. Where nobody knows how far the addresses reach, all of 2^47 bytes.
std::uint64_t highest_line(const std::vector<Region>& regions, std::uint32_t line_bytes) {
  constexpr std::uint64_t small = (std::uint64_t{1} << 31U) - 2;
  const std::uint64_t all = (std::uint64_t{1} << 47U) / line_bytes;
  if (regions.empty()) return all;
  const std::uint64_t end = regions.back().start + regions.back().bytes + prefetch_page;  // prefetchers finish the page
  return end / line_bytes <= small ? small : all;
}

std::uint64_t highest_address(const Run& run) {
  std::uint64_t highest = 0;
  for (std::size_t r = 0; r < run.refs.size() && run.count > 0; ++r) {
    const auto first = static_cast<std::uint64_t>(run.base[r]);  // a negative address is a very high one
    const std::uint64_t last = first + static_cast<std::uint64_t>(run.stride[r]) * (run.count - 1);
    highest = std::max({highest, first, last});
  }
  return highest;
}
std::uint64_t highest_address(const Gather& gather) {
  std::uint64_t highest = 0;
  for (std::size_t r = 0; r < gather.refs.size(); ++r) {
    const auto affine = [&](std::uint64_t n) { return gather.base[r] + static_cast<Int>(n) * gather.stride[r]; };
    const Gather::Index& index = gather.index[r];
    std::int32_t least = *index.at, most = *index.at;
    const std::uint64_t count = index.scale == 0 ? 0 : gather.count;
    if (index.step == 1 && count > 0) {  // the usual case
      std::tie(least, most) = index_range({index.at, count});
    } else {
      for (std::uint64_t n = 1; n < count; ++n) {
        const std::int32_t value = index.at[static_cast<Int>(n) * index.step];
        least = std::min(least, value);
        most = std::max(most, value);
      }
    }
    const auto [low, high] = std::minmax({affine(0), affine(gather.count - 1)});
    const auto [near, far] = std::minmax({index.scale * least, index.scale * most});
    if (low + near >= 0) {  // nearly always; else look at every one
      highest = std::max(highest, static_cast<std::uint64_t>(high + far));
      continue;
    }
    for (std::uint64_t n = 0; n < gather.count; ++n)
      highest = std::max(highest, static_cast<std::uint64_t>(gather.address(r, n)));
  }
  return highest;
}
std::uint64_t highest_address(std::span<const Element> elements) {
  std::uint64_t highest = 0;
  for (const Element& e : elements) highest = std::max(highest, e.address);
  return highest;
}

/// The caches hold lines in as few bits as the arrays need; an address beyond them must not be taken for another.
template <class Accesses>
void check_addresses(const Accesses& accesses, std::uint64_t end) {
  const std::uint64_t highest = highest_address(accesses);
  if (highest < end) return;
  throw std::out_of_range("an access at address " + std::to_string(highest) + " is outside of what is simulated");
}

}  // namespace

FastHierarchy::FastHierarchy(const Geometry& geometry, const std::vector<Region>& regions, bool fast_forward,
                             const Share& share)
    : fast_forward_(fast_forward && !combines(geometry)),  // what buffers hold is not among the states compared
      share_(share),
      line_bytes_(geometry.line),
      highest_line_(highest_line(regions, geometry.line)),
      shapes_(static_cast<std::uint32_t>(geometry.line * share.classes)),  // a class must stay a class
      same_lines_(geometry.line),
      resident_(geometry.levels.front(), geometry.line),
      counters_(geometry.levels.size(), std::max<std::size_t>(regions.size(), 1)) {
  const std::vector<std::size_t> ends = stage_ends(geometry.levels);
  Stage* next = nullptr;
  for (std::size_t s = ends.size(); s-- > 0;) {
    const std::size_t begin = s == 0 ? 0 : ends[s - 1];
    stages_.insert(stages_.begin(),
                   std::make_unique<Stage>(geometry, regions, begin, ends[s], next, highest_line_, share));
    next = stages_.front().get();
  }
  for (const auto& stage : stages_) {
    for (const auto& level : stage->levels()) levels_.push_back(level.get());
  }
}

void FastHierarchy::consume(const Batch& batch) {
  std::visit([this](const auto& accesses) { consume(accesses); }, batch);
}

void FastHierarchy::consume(const Run& run) {
  check_addresses(run, highest_line_ * line_bytes_);
  if (run.count >= long_run && !run.refs.empty()) {
    consume_long(run);
  } else {
    stages_.front()->consume(run);
  }
}

void FastHierarchy::consume(const Gather& gather) {
  check_addresses(gather, highest_line_ * line_bytes_);
  check_addresses(gather.between, highest_line_ * line_bytes_);
  if (gather.count > piece && gather.breaks.empty()) {
    consume_long(gather);
    stages_.front()->consume(gather.between);
  } else {
    stages_.front()->consume(gather);
  }
}

void FastHierarchy::consume(std::span<const Element> elements) {
  runs_.split(
      elements, [this](const Run& run) { consume(run); },
      [this](std::span<const Element> between) {
        check_addresses(between, highest_line_ * line_bytes_);
        stages_.front()->consume(between);
      });
}

/// In pieces, so that what is sent to the next stage stays small.
void FastHierarchy::consume_long(const Gather& gather) {
  std::vector<Int> base(gather.base.begin(), gather.base.end());
  std::vector<Gather::Index> index(gather.index.begin(), gather.index.end());
  for (std::uint64_t done = 0; done < gather.count; done += piece) {
    stages_.front()->consume(Gather{gather.refs, base, gather.stride, index, std::min(piece, gather.count - done)});
    for (std::size_t r = 0; r < base.size(); ++r) {
      base[r] += gather.stride[r] * static_cast<Int>(piece);
      if (done + piece < gather.count) index[r].at += index[r].step * static_cast<Int>(piece);
    }
  }
}

/// A long run is a loop over pieces of it: what a piece sends to the next stage stays small, and if all references move
/// alike, the pieces repeat each other.
void FastHierarchy::consume_long(const Run& run) {
  Stage& stage = *stages_.front();
  std::vector<Int> base(run.base.begin(), run.base.end());
  std::uint64_t done = 0;
  const auto skip = [&](std::uint64_t count) {
    for (std::size_t r = 0; r < base.size(); ++r) base[r] += run.stride[r] * static_cast<Int>(count);
    done += count;
  };
  const auto part = [&](std::uint64_t count) {
    stage.consume(Run{run.refs, base, run.stride, count});
    skip(count);
  };
  const Int stride = run.stride.front();
  const bool alike = std::ranges::all_of(run.stride, [stride](Int s) { return s == stride; });
  if (fast_forward_ && alike &&
      stride * static_cast<Int>(piece) % static_cast<Int>(line_bytes_ * share_.classes) == 0) {
    Warp warp(stage, stride * static_cast<Int>(piece) / line_bytes_);
    while (run.count - done >= piece) {
      warp.begin();
      part(piece);
      const std::uint64_t remaining = (run.count - done) / piece;
      if (warp.end(remaining)) skip(remaining * piece);
    }
  }
  while (done < run.count) part(std::min(piece, run.count - done));
}

bool FastHierarchy::play_resident(const StreamLoop& loop, Int first, std::uint64_t count, Walker& walker) {
  if (!stages_.front()->front_end().may_reduce()) return false;
  const ResidentNests::Execution* execution = resident_.find(loop, first, count, walker.environment());
  if (execution == nullptr) return false;
  stages_.front()->consume(execution->events, execution->requested);
  for (const auto& [body, times] : execution->bodies) walker.executed(body, times);
  return true;
}

bool FastHierarchy::loop(const StreamLoop& loop, Int first, std::uint64_t count, Walker& walker) {
  if (play_resident(loop, first, count, walker)) return true;
  if (!fast_forward_) return false;
  std::vector<Stretch> stretches = shapes_.stretches(loop, first, count, walker.environment());
  const auto unknown = [](const Stretch& s) { return s.period == 0; };
  if (std::ranges::all_of(stretches, unknown)) {
    stretches = same_lines_.stretches(loop, first, count, walker.environment());
  }
  if (std::ranges::all_of(stretches, unknown)) return false;
  const auto iterate = [&](std::uint64_t n) { walker.iterate(loop, first + static_cast<Int>(n) * loop.step); };
  if (executions_.size() == depth_) executions_.emplace_back();
  const std::size_t depth = depth_++;
  for (const Stretch& stretch : stretches) {
    constexpr std::uint64_t fewest = 4;  // periods: a proof takes three
    std::uint64_t n = stretch.from;
    if (stretch.period > 0 && (stretch.to - n) / stretch.period >= fewest) {
      const std::uint64_t cycle = stages_.front()->cycle();
      const bool cycles = (stretch.to - n) / (stretch.period * cycle) >= fewest;
      const std::uint64_t period = stretch.period * (cycles ? cycle : 1);
      Warp warp(*stages_.front(), stretch.lines * static_cast<Int>(period / stretch.period * share_.classes));
      while (stretch.to - n >= period) {
        executions_[depth] = walker.executions();
        warp.begin();
        for (std::uint64_t i = 0; i < period; ++i) iterate(n++);
        const std::uint64_t remaining = (stretch.to - n) / period;
        if (warp.end(remaining)) {
          walker.repeat_executions(executions_[depth], remaining);
          n += remaining * period;
        }
      }
    }
    for (; n < stretch.to; ++n) iterate(n);
  }
  --depth_;
  return true;
}

const Counters& FastHierarchy::counters() const {
  stages_.front()->flush();
  counters_ = Counters(counters_.levels.size(), counters_.flows.front().size());
  for (const auto& stage : stages_) stage->counts().add_to(counters_, share_.groups());
  return counters_;
}

std::uint64_t FastHierarchy::lookups() const {
  stages_.front()->flush();
  return stages_.front()->lookups();
}

// Level by level, a dirty line becomes clean and dirties the next level that holds it; nothing is evicted.
void FastHierarchy::drain() {
  Stage& last = *stages_.back();
  stages_.front()->flush();
  stages_.front()->drain_combined();
  const std::size_t columns = last.counts().flows.size() / (levels_.size() + 1);
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    levels_[k]->visit_dirty([&](std::uint64_t line) {
      std::size_t to = k;
      do {
        ++to;
        last.counts().flows[to * columns + last.owner()(line)].write_back += line_bytes_;
      } while (to < levels_.size() && !levels_[to]->hit(line, false, true));
    });
    levels_[k]->clean();
  }
}

std::uint64_t FastHierarchy::dirty_lines() const {
  stages_.front()->flush();
  std::uint64_t distinct = 0;
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    levels_[k]->visit_dirty([&](std::uint64_t line) {
      for (std::size_t j = 0; j < k; ++j) {
        if (levels_[j]->is_dirty(line)) return;
      }
      ++distinct;
    });
  }
  return distinct;
}

std::unique_ptr<Hierarchy> make_hierarchy(const Geometry& geometry, const std::vector<Region>& regions,
                                          bool fast_forward, const Share& share) {
  return std::make_unique<FastHierarchy>(geometry, regions, fast_forward, share);
}

}  // namespace mansard
