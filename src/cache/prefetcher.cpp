#include "cache/prefetcher.hpp"

#include <algorithm>

namespace mansard {

Prefetcher::Prefetcher(const Prefetch& prefetch, std::uint32_t line_bytes)
    : is_(prefetch), lines_per_page_(prefetch_page / line_bytes) {}

std::span<const std::uint64_t> Prefetcher::looked_up(std::uint64_t line, bool missed) {
  wanted_.clear();
  if (is_.adjacent && missed && lines_per_page_ > 1) wanted_.push_back(line ^ 1U);
  if (is_.streams > 0) follow(line);
  return wanted_;
}

void Prefetcher::follow(std::uint64_t line) {
  const auto continues = [line](const Stream& s) {
    const auto step = static_cast<std::int64_t>(line - s.last);
    return step == 0 || ((step == 1 || step == -1) && (s.direction == 0 || s.direction == step));
  };
  auto found = std::ranges::find_if(streams_, continues);
  if (found == streams_.end()) {
    if (streams_.size() == is_.streams) streams_.pop_back();
    streams_.insert(streams_.begin(), {line, 0});
    return;
  }
  Stream stream = *found;
  const auto step = static_cast<std::int64_t>(line - stream.last);
  if (step != 0) stream = {line, step};
  std::move_backward(streams_.begin(), found, found + 1);
  streams_.front() = stream;
  if (step == 0) return;
  for (std::uint32_t n = 1; n <= is_.distance; ++n) {
    const std::uint64_t ahead = line + static_cast<std::uint64_t>(step) * n;
    if (ahead / lines_per_page_ == line / lines_per_page_) wanted_.push_back(ahead);
  }
}

}  // namespace mansard
