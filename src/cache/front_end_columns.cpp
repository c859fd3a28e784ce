// Gathers, and runs whose references move differently: all events of some iterations are written down, one reference
// after the other, and those that change nothing are passed over.
#include <algorithm>
#include <bit>
#include <numeric>

#include "cache/front_end.hpp"
#include "cache/lines_touched.hpp"

namespace mansard {
namespace {
constexpr std::uint64_t dropped = ~std::uint64_t{0};

/// The events of one reference of a gathering run, `width` apart; those that are not to be played are `dropped`.
struct Column {
  std::uint64_t* out;
  std::size_t width;
  std::uint64_t count, address, stride;
  int shift;  ///< of an address, to its line
  std::uint64_t kind;

  [[nodiscard]] std::uint64_t event(std::uint64_t at) const { return at >> shift << 16U | kind; }
};

void gather_column(const Column& c, const Gather::Index& index) {
  const auto scale = static_cast<std::uint64_t>(index.scale);
  const std::int32_t* at = index.at;
  std::uint64_t* out = c.out;
  std::uint64_t address = c.address;
  for (std::uint64_t n = 0; n < c.count; ++n, out += c.width, address += c.stride, at += index.step) {
    *out = c.event(address + scale * static_cast<std::uint64_t>(Int{*at}));
  }
}

void affine_column(const Column& c) {
  std::uint64_t* out = c.out;
  std::uint64_t address = c.address;
  for (std::uint64_t n = 0; n < c.count; ++n, out += c.width, address += c.stride) *out = c.event(address);
}
}  // namespace

/// So many iterations in a row cannot touch more lines of a set than it has ways. References that move less than a line
/// at a time touch neighbouring lines, which lie in different sets; those that move by whole lines come back to a set
/// after as many iterations as follows from the stride; others may touch a line of the set each time. A touch between
/// two of the same line that are no further apart may be dropped (docs/engine.md, "Reduced streams"). 1: none.
std::uint64_t FrontEnd::window(const Gather& run) {
  if (run.refs.data() == known_.refs && std::ranges::equal(run.stride, known_.strides)) return known_.window;
  constexpr std::uint64_t longest = 64;
  const auto in_a_set = [&](std::uint64_t iterations) {
    std::uint64_t lines = 0;
    for (std::size_t r = 0; r < run.refs.size(); ++r) {
      const auto stride = static_cast<std::uint64_t>(std::abs(run.stride[r]));
      if (run.index[r].scale != 0 || (stride > line_bytes_ && stride % line_bytes_ != 0)) {
        lines += iterations;
      } else if (stride >= line_bytes_) {
        const std::uint64_t back_after = sets_ / std::gcd(stride / line_bytes_, sets_);
        lines += (iterations + back_after - 1) / back_after;
      } else {
        const std::uint64_t touched = 1 + (stride * iterations + line_bytes_ - 1) / line_bytes_;
        lines += (touched + sets_ - 1) / sets_;
      }
    }
    return lines;
  };
  std::uint64_t window = 1;
  while (window < longest && in_a_set(window + 1) <= ways_) ++window;
  known_ = {run.refs.data(), {run.stride.begin(), run.stride.end()}, window};
  return window;
}

ByKind FrontEnd::play(const Gather& run) {
  bool whole = true, streams = false;  // no access straddles lines; there are non-temporal stores
  for (std::size_t r = 0; r < run.refs.size(); ++r) {
    const StreamRef& ref = run.refs[r];
    const Int parts = run.base[r] | run.stride[r] | run.index[r].scale;
    const bool power_of_two = (ref.bytes & (ref.bytes - 1)) == 0;
    whole = whole && power_of_two && ref.bytes <= line_bytes_ && (parts & (ref.bytes - 1)) == 0;
    streams = streams || ref.kind == Kind::nontemporal;
  }
  gathered_ = true;
  ByKind straddles;
  const std::uint64_t window = whole && may_reduce_ && !streams ? this->window(run) : 1;
  if (whole && !share_.everything()) return play_share(run, window);
  const std::uint64_t rows = std::max<std::uint64_t>(16, piece / std::max<std::size_t>(1, run.refs.size()));
  run.visit_parts(
      [&](std::uint64_t from, std::uint64_t to) {
        if (!whole) return play_in_full(run, from, to, straddles);
        for (std::uint64_t n = from; n < to; n += rows) play_rows(run, n, std::min(rows, to - n), window);
      },
      [&](std::span<const Element> between) {
        for (const Element& e : between) push(e, straddles);
      });
  return straddles;
}

void FrontEnd::play_in_full(const Gather& run, std::uint64_t from, std::uint64_t to, ByKind& straddles) {
  for (std::uint64_t n = from; n < to; ++n) {
    for (std::size_t r = 0; r < run.refs.size(); ++r) {
      const StreamRef& ref = run.refs[r];
      push({static_cast<std::uint64_t>(run.address(r, n)), ref.array, ref.bytes, ref.kind}, straddles);
    }
  }
}

/// Iterations [from, from + count).
void FrontEnd::play_rows(const Gather& run, std::uint64_t from, std::uint64_t count, std::uint64_t window) {
  const std::size_t width = run.refs.size();
  columns_.assign(width * count, dropped);
  for (std::size_t r = 0; r < width; ++r) {
    const StreamRef& ref = run.refs[r];
    const auto stride = static_cast<std::uint64_t>(run.stride[r]);
    const std::uint64_t kind = Event::of(0, event_kind(ref.kind), ref.bytes).packed;
    const std::uint64_t base = static_cast<std::uint64_t>(run.base[r]) + from * stride;
    const Column column{&columns_[r], width, count, base, stride, shift_, kind};
    if (run.index[r].scale != 0) {
      Gather::Index index = run.index[r];
      index.at += static_cast<Int>(from) * index.step;
      gather_column(column, index);
    } else if (thins(run, r, window)) {  // the first touch of a line, the last one, and some between
      visit_lines(base, stride, count, shift_, [&](std::uint64_t n, std::uint64_t last, std::uint64_t line) {
        const std::uint64_t event = line << 16U | kind;
        for (; n < last; n += window) column.out[n * width] = event;
        column.out[last * width] = event;
      });
    } else {
      affine_column(column);
    }
  }
  for (std::size_t done = 0; done < columns_.size();) {
    if (used_ == events_.size()) finish();
    const std::size_t end = std::min(columns_.size(), done + (events_.size() - used_));
    used_ = keep(done, end);
    done = end;
  }
}

/// Moves those of columns_[from, to) that are to be played behind the events that wait; returns how many wait then.
std::size_t FrontEnd::keep(std::size_t from, std::size_t to) {
  std::size_t used = used_;
  Event* const events = events_.data();
  for (std::size_t i = from; i < to; ++i) {
    events[used].packed = columns_[i];
    used += columns_[i] != dropped ? 1U : 0U;
  }
  return used;
}

/// References that move differently: row by row, so that the few touches that may be dropped are found without a plan.
ByKind FrontEnd::play_as_columns(const Run& run) {
  static constexpr std::int32_t nothing = 0;
  no_index_.assign(run.refs.size(), {&nothing, 0, 0});
  return play(Gather{run.refs, run.base, run.stride, no_index_, run.count});
}

}  // namespace mansard
