// Gathers, and runs whose references move differently: all events of some iterations are written down, one reference
// after the other, and those that change nothing are passed over.
#include <algorithm>
#include <bit>

#include "cache/front_end.hpp"

namespace mansard {
namespace {
constexpr std::uint64_t dropped = ~std::uint64_t{0};

/// One column of a gathering run: the events of a reference, `width` apart.
void gather_column(std::uint64_t* out, std::size_t width, std::uint64_t count, std::uint64_t address,
                   std::uint64_t stride, const Gather::Index& index, int shift, std::uint64_t kind) {
  const auto scale = static_cast<std::uint64_t>(index.scale);
  const std::int32_t* at = index.at;
  for (std::uint64_t n = 0; n < count; ++n, out += width, address += stride) {
    const auto value = static_cast<std::uint64_t>(Int{at[static_cast<Int>(n) * index.step]});
    *out = (address + scale * value) >> shift << 16U | kind;
  }
}
void affine_column(std::uint64_t* out, std::size_t width, std::uint64_t count, std::uint64_t address,
                   std::uint64_t stride, int shift, std::uint64_t kind) {
  for (std::uint64_t n = 0; n < count; ++n, out += width, address += stride) *out = address >> shift << 16U | kind;
}

/// Drops the touches between two that are kept, of the same line and at most `window` iterations apart. The last one of
/// a line is kept.
void thin_out(std::uint64_t* column, std::size_t width, std::uint64_t count, std::uint64_t window) {
  std::uint64_t kept = 0;
  std::uint64_t line = column[0];
  for (std::uint64_t n = 1; n + 1 < count; ++n) {
    std::uint64_t& event = column[n * width];
    if (event == line && column[(n + 1) * width] == line && n + 1 - kept <= window) {
      event = dropped;
    } else {
      kept = n;
      line = event;
    }
  }
}
}  // namespace

/// So many iterations in a row cannot touch more lines than a set has ways: those of the references that move less than
/// a line at a time, and one each time of the others. A touch between two of the same line that are no further apart
/// may be dropped (docs/engine.md, "Reduced streams"). 1: none.
std::uint64_t FrontEnd::window(const Gather& run) {
  if (run.refs.data() == known_.refs && std::ranges::equal(run.stride, known_.strides)) return known_.window;
  constexpr std::uint64_t longest = 64;
  const auto lines_in = [&](std::uint64_t iterations) {
    std::uint64_t lines = 0;
    for (std::size_t r = 0; r < run.refs.size(); ++r) {
      const std::uint64_t distance = static_cast<std::uint64_t>(std::abs(run.stride[r])) * iterations;
      const bool leaps = run.index[r].scale != 0 || std::abs(run.stride[r]) >= static_cast<Int>(line_bytes_);
      lines += leaps ? iterations : 1 + (distance + line_bytes_ - 1) / line_bytes_;
    }
    return lines;
  };
  std::uint64_t window = 1;
  while (window < longest && lines_in(window + 1) <= ways_) ++window;
  known_ = {run.refs.data(), {run.stride.begin(), run.stride.end()}, window};
  return window;
}

ByKind FrontEnd::play(const Gather& run) {
  bool whole = true, streams = false;  // no access straddles lines; there are non-temporal stores
  for (std::size_t r = 0; r < run.refs.size(); ++r) {
    const StreamRef& ref = run.refs[r];
    const Int parts = run.base[r] | run.stride[r] | run.index[r].scale;
    whole = whole && std::has_single_bit(ref.bytes) && ref.bytes <= line_bytes_ && (parts & (ref.bytes - 1)) == 0;
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
  const std::uint64_t window = may_reduce_ && share_.everything() && !streams ? this->window(run) : 1;
  const std::uint64_t rows = std::max<std::uint64_t>(16, piece / std::max<std::size_t>(1, run.refs.size()));
  for (std::uint64_t n = 0; n < run.count; n += rows) play_rows(run, n, std::min(rows, run.count - n), window);
  return {};
}

/// Iterations [from, from + count).
void FrontEnd::play_rows(const Gather& run, std::uint64_t from, std::uint64_t count, std::uint64_t window) {
  const std::size_t width = run.refs.size();
  columns_.resize(width * count);
  for (std::size_t r = 0; r < width; ++r) {
    const StreamRef& ref = run.refs[r];
    const std::uint64_t kind = Event::of(0, event_kind(ref.kind), ref.bytes).packed;
    const auto stride = static_cast<std::uint64_t>(run.stride[r]);
    const std::uint64_t base = static_cast<std::uint64_t>(run.base[r]) + from * stride;
    if (run.index[r].scale != 0) {
      Gather::Index index = run.index[r];
      index.at += static_cast<Int>(from) * index.step;
      gather_column(&columns_[r], width, count, base, stride, index, shift_, kind);
      continue;
    }
    affine_column(&columns_[r], width, count, base, stride, shift_, kind);
    const bool stays = std::abs(run.stride[r]) < static_cast<Int>(line_bytes_);
    if (window > 1 && stays && ref.kind == Kind::load) thin_out(&columns_[r], width, count, window);
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
  if (share_.everything()) {
    for (std::size_t i = from; i < to; ++i) {
      events[used].packed = columns_[i];
      used += columns_[i] != dropped ? 1U : 0U;
    }
  } else {
    const Share share = share_;
    for (std::size_t i = from; i < to; ++i) {
      events[used].packed = columns_[i];
      used += share.has(columns_[i] >> 16U);
    }
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
