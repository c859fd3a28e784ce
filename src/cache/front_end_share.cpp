// Gathers of which a thread or a sample plays some classes of lines: 64 iterations at a time, the events that it has
// are marked first and then made, so that those of others cost little.
#include <bit>

#include "cache/front_end.hpp"
#include "cache/lines_touched.hpp"

namespace mansard {
namespace {

constexpr std::uint64_t word = 64;

/// Bits [0, n).
constexpr std::uint64_t below(std::uint64_t n) { return n < word ? (std::uint64_t{1} << n) - 1 : ~std::uint64_t{0}; }

/// Every `window`-th bit.
std::uint64_t comb(std::uint64_t window) {
  std::uint64_t bits = 0;
  for (std::uint64_t n = 0; n < word; n += window) bits |= std::uint64_t{1} << n;
  return bits;
}

}  // namespace

ByKind FrontEnd::play_share(const Gather& run, std::uint64_t window) {
  ByKind straddles;
  const auto play_between = [&](std::size_t begin, std::size_t end) {
    for (const Element& e : run.between.subspan(begin, end - begin)) push(e, straddles);
  };
  const auto must_play_between = [&](std::size_t begin, std::size_t end) {
    std::uint64_t any = 0;  // line of the share, or access that straddles lines and has to be counted
    for (const Element& e : run.between.subspan(begin, end - begin)) {
      const std::uint64_t line = e.address >> shift_;
      any |= share_.has(line) | (line ^ (e.address + e.bytes - 1) >> shift_);
    }
    return any != 0;
  };
  std::size_t b = 0, element = 0;
  for (std::uint64_t from = 0; from < run.count; from += word) {
    const std::uint64_t count = std::min(word, run.count - from);
    std::uint64_t broken = 0;  // bit n: elements come before iteration n
    for (std::size_t i = b; i < run.breaks.size() && run.breaks[i].before < from + count; ++i)
      broken |= std::uint64_t{1} << (run.breaks[i].before - from);
    std::uint64_t iterations = mark(run, from, count, broken, window);
    for (; broken != 0; broken &= broken - 1) {
      const std::size_t end = run.breaks[b++].end;
      if (must_play_between(element, end)) {
        const std::uint64_t before = below(static_cast<std::uint64_t>(std::countr_zero(broken)));
        play_marked(iterations & before);
        iterations &= ~before;
        play_between(element, end);
      }
      element = end;
    }
    play_marked(iterations);
  }
  play_between(element, run.between.size());
  return straddles;
}

/// Marks what is played of `count` iterations; returns those that have any. Of a thinned reference (`thins`) that is
/// the first and the last touch of each line, those beside a break, and every `window`-th one.
std::uint64_t FrontEnd::mark(const Gather& run, std::uint64_t from, std::uint64_t count, std::uint64_t broken,
                             std::uint64_t window) {
  const std::uint64_t kept = comb(window) | broken | broken >> 1U;
  std::uint64_t any = 0;
  marked_.resize(run.refs.size());
  for (std::size_t r = 0; r < run.refs.size(); ++r) {
    MarkedRef& ref = marked_[r];
    const Gather::Index& index = run.index[r];
    const auto stride = static_cast<std::uint64_t>(run.stride[r]);
    ref = {.base = static_cast<std::uint64_t>(run.base[r]) + from * stride,
           .stride = stride,
           .scale = static_cast<std::uint64_t>(index.scale),
           .at = index.at + static_cast<Int>(from) * index.step,
           .step = index.step,
           .kind = Event::of(0, event_kind(run.refs[r].kind), run.refs[r].bytes).packed,
           .iterations = 0};
    if (thins(run, r, window)) {
      visit_lines(ref.base, stride, count, shift_, [&](std::uint64_t first, std::uint64_t last, std::uint64_t line) {
        const std::uint64_t ends = std::uint64_t{1} << first | std::uint64_t{1} << last;
        const std::uint64_t touches = below(last + 1) & ~below(first) & (kept | ends);
        ref.iterations |= touches & (0 - share_.has(line));
      });
    } else {
      ref.iterations = iterations_of(share_.of_64(), ref, count, shift_);
    }
    any |= ref.iterations;
  }
  return any;
}

void FrontEnd::play_marked(std::uint64_t iterations) {
  const std::size_t width = marked_.size();
  for (; iterations != 0; iterations &= iterations - 1) {
    const auto n = static_cast<std::uint64_t>(std::countr_zero(iterations));
    make_room(width);
    Event* event = events_.data() + used_;
    for (const MarkedRef& ref : marked_) {
      event->packed = ref.address(n) >> shift_ << 16U | ref.kind;
      event += ref.iterations >> n & 1U;
    }
    used_ = static_cast<std::size_t>(event - events_.data());
  }
}

}  // namespace mansard
