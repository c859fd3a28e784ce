#include "stream/gpu/blocks.hpp"

#include <algorithm>
#include <cmath>

#include "units/mix.hpp"

namespace mansard {
namespace {

constexpr double jitter = 0.2;  // of the speed of a block

/// In [0, 1).
double fraction(std::uint64_t hash) { return static_cast<double>(hash >> 11U) * 0x1p-53; }

}  // namespace

BlockWalker::BlockWalker(WarpCode& code, WarpWork& work, const BlockOptions& options)
    : code_(code), options_(options), sms_(options.sms), next_(options.dies) {
  for (auto& sm : sms_) {
    sm.resize(options.blocks_per_sm);
    for (Resident& block : sm) {
      for (std::uint32_t w = 0; w < code.warps_per_block(); ++w) block.warps.emplace_back(code, work);
      block.state.assign(code.warps_per_block(), done);
    }
  }
}

std::uint64_t BlockWalker::draw() { return mix(options_.seed + 0x9e3779b97f4a7c15ULL * ++draws_); }

void BlockWalker::begin(const Grid& grid, std::span<const Int> environment, std::uint64_t from, std::uint64_t to) {
  grid_ = grid;
  environment_.assign(environment.begin(), environment.end());
  to_ = to;
  started_ = finished_ = 0;
  for (std::uint64_t d = 0; d < next_.size(); ++d)
    next_[d] = from + (d + next_.size() - from % next_.size()) % next_.size();
  // One block for every SM, then a second one, …
  for (std::uint32_t b = 0; b < options_.blocks_per_sm; ++b) {
    for (std::uint32_t sm = 0; sm < options_.sms; ++sm) start(sms_[sm][b], sm);
  }
}

void BlockWalker::start(Resident& block, std::uint32_t sm) {
  std::uint64_t& next = next_[sm % next_.size()];
  block.busy = next < to_;
  if (!block.busy) return;
  const Launch& launch = code_.launch();
  place_block(launch, grid_, block_at(grid_, launch.mapping->order, next), environment_);
  block.running = static_cast<std::uint32_t>(block.warps.size());
  block.waiting = 0;
  block.speed = 1 + jitter * (2 * fraction(mix(options_.seed ^ mix(next + 1))) - 1);
  block.credit = 0;
  block.ahead = 0;
  for (std::uint32_t w = 0; w < block.warps.size(); ++w) {
    block.warps[w].start(w, environment_);
    block.state[w] = running;
  }
  next += next_.size();
  ++started_;
}

void BlockWalker::release(Resident& block) {
  for (std::uint8_t& state : block.state) {
    if (state == waiting) state = running, ++block.running;
  }
  block.waiting = 0;
}

/// One memory instruction of a warp, or the way to a barrier or its end.
void BlockWalker::advance(Resident& block, std::uint32_t warp, std::uint32_t sm, const Sink& sink) {
  WarpAccess access;
  if (!block.warps[warp].next(access, options_.with_shared)) {
    block.state[warp] = done;
    --block.running;
  } else if (access.ref == nullptr) {
    block.state[warp] = waiting;
    --block.running;
    ++block.waiting;
  } else {
    ++instructions_;
    sink(sm, access);
    return;
  }
  if (block.running > 0) return;
  if (block.waiting > 0) return release(block);
  block.busy = false;
  ++finished_;
}

/// All warps of the block go on by one instruction.
void BlockWalker::lockstep(Resident& block, std::uint32_t sm, const Sink& sink) {
  for (std::uint32_t w = 0; w < block.warps.size() && block.busy; ++w) {
    if (block.state[w] == running) advance(block, w, sm, sink);
  }
}

/// As many instructions of randomly chosen warps as there are warps.
void BlockWalker::random(std::uint32_t sm, const Sink& sink) {
  std::vector<Resident>& blocks = sms_[sm];
  const auto residents = static_cast<std::uint32_t>(blocks.size());
  const auto warps = static_cast<std::uint32_t>(blocks.front().warps.size());
  for (std::uint32_t n = 0; n < residents * warps; ++n) {
    const std::uint64_t drawn = draw();
    Resident& block = blocks[static_cast<std::uint32_t>(drawn >> 32U) % residents];
    const std::uint32_t warp = static_cast<std::uint32_t>(drawn) % warps;
    if (!block.busy) start(block, sm);
    if (block.busy && block.state[warp] == running) advance(block, warp, sm, sink);
  }
}

bool BlockWalker::turn(const Sink& sink) {
  bool busy = false;
  for (std::uint32_t sm = 0; sm < options_.sms; ++sm) {
    if (options_.order == WarpOrder::random) {
      random(sm, sink);
    } else {
      for (Resident& block : sms_[sm]) {
        if (!block.busy) start(block, sm);
        if (!block.busy) continue;
        // At its own speed until it has drifted as far as it may, then at an even pace.
        const double gain = block.speed - 1;
        const bool free = std::abs(block.ahead + gain) <= options_.drift;
        block.ahead += free ? gain : 0;
        block.credit += free ? block.speed : 1;
        for (; block.credit >= 1 && block.busy; block.credit -= 1) lockstep(block, sm, sink);
      }
    }
    for (const Resident& block : sms_[sm]) busy = busy || block.busy;
  }
  return busy || std::ranges::any_of(next_, [this](std::uint64_t n) { return n < to_; });
}

}  // namespace mansard
