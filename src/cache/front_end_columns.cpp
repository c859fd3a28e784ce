// Gathers, and runs whose references move differently: all events of some iterations are written down, one reference
// after the other, and those that change nothing are passed over.
#include <algorithm>
#include <bit>
#include <numeric>

#include "cache/front_end.hpp"

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

template <class Has>
void gather_column(const Column& c, const Gather::Index& index, const Has& has) {
  const auto scale = static_cast<std::uint64_t>(index.scale);
  const std::int32_t* at = index.at;
  std::uint64_t* out = c.out;
  std::uint64_t address = c.address;
  for (std::uint64_t n = 0; n < c.count; ++n, out += c.width, address += c.stride, at += index.step) {
    const std::uint64_t event = c.event(address + scale * static_cast<std::uint64_t>(Int{*at}));
    *out = has(event >> 16U) ? event : dropped;
  }
}

template <class Has>
void affine_column(const Column& c, const Has& has) {
  std::uint64_t* out = c.out;
  std::uint64_t address = c.address;
  for (std::uint64_t n = 0; n < c.count; ++n, out += c.width, address += c.stride) {
    const std::uint64_t event = c.event(address);
    *out = has(event >> 16U) ? event : dropped;
  }
}

/// Only the touches of a line that are kept: the first one, the last one, and those between that are `window`
/// iterations after one that is kept. The stride is less than a line; the column was `dropped`.
template <class Has>
void thin_column(const Column& c, std::uint64_t window, const Has& has) {
  const std::uint64_t in_line = (std::uint64_t{1} << c.shift) - 1;
  const bool up = static_cast<Int>(c.stride) >= 0;
  const auto step = static_cast<std::uint32_t>(up ? c.stride : 0 - c.stride);
  const bool power_of_two = (step & (step - 1)) == 0;  // or 0
  const int step_shift = std::countr_zero(step | std::uint32_t{1} << 31U);
  std::uint64_t address = c.address;
  for (std::uint64_t n = 0; n < c.count;) {
    const auto left = static_cast<std::uint32_t>(up ? in_line - (address & in_line) : address & in_line);
    const std::uint64_t more = step == 0 ? c.count : power_of_two ? left >> step_shift : left / step;
    const std::uint64_t last = std::min(c.count - 1, n + more);
    const std::uint64_t event = c.event(address);
    if (has(event >> 16U)) {
      for (; n < last; n += window) c.out[n * c.width] = event;
      c.out[last * c.width] = event;
    }
    address = c.address + (last + 1) * c.stride;
    n = last + 1;
  }
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
  if (!whole) {
    ByKind straddles;
    for (std::uint64_t n = 0; n < run.count; ++n) {
      for (std::size_t r = 0; r < run.refs.size(); ++r) {
        const StreamRef& ref = run.refs[r];
        push({static_cast<std::uint64_t>(run.address(r, n)), ref.array, ref.bytes, ref.kind}, straddles);
      }
    }
    return straddles;
  }
  const std::uint64_t window = may_reduce_ && !streams ? this->window(run) : 1;
  const std::uint64_t rows = std::max<std::uint64_t>(16, piece / std::max<std::size_t>(1, run.refs.size()));
  for (std::uint64_t n = 0; n < run.count; n += rows) play_rows(run, n, std::min(rows, run.count - n), window);
  return {};
}

/// Iterations [from, from + count).
void FrontEnd::play_rows(const Gather& run, std::uint64_t from, std::uint64_t count, std::uint64_t window) {
  const std::size_t width = run.refs.size();
  columns_.assign(width * count, dropped);
  const auto fill = [&](const auto& has) {
    for (std::size_t r = 0; r < width; ++r) {
      const StreamRef& ref = run.refs[r];
      const auto stride = static_cast<std::uint64_t>(run.stride[r]);
      const std::uint64_t kind = Event::of(0, event_kind(ref.kind), ref.bytes).packed;
      const std::uint64_t base = static_cast<std::uint64_t>(run.base[r]) + from * stride;
      const Column column{&columns_[r], width, count, base, stride, shift_, kind};
      if (run.index[r].scale != 0) {
        Gather::Index index = run.index[r];
        index.at += static_cast<Int>(from) * index.step;
        gather_column(column, index, has);
      } else if (window > 1 && ref.kind == Kind::load && std::abs(run.stride[r]) < static_cast<Int>(line_bytes_)) {
        thin_column(column, window, has);
      } else {
        affine_column(column, has);
      }
    }
  };
  if (share_.everything()) {
    fill([](std::uint64_t) { return true; });
  } else {
    fill([share = share_](std::uint64_t line) { return share.has(line) != 0; });
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
