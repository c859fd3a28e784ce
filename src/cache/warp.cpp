#include "cache/warp.hpp"

#include <algorithm>

namespace mansard {

Warp::Warp(Stage& stage, std::int64_t lines) : stage_(stage), lines_(lines), loop_(stage.enter_loop()) {}

void Warp::begin() {
  mark_ = stage_.begin_iteration();
  spills_ = stage_.spills();
  occupied_ = stage_.occupied();
  lookups_ = stage_.lookups();
  exchanges_ = exchanges();
  loop_.before = stage_.counts();
  if (look_ == Look::none) return;
  for (std::size_t k = 0; k < loop_.states.size(); ++k) {
    stage_.levels()[k]->save(loop_.states[k], look_ == Look::sparse);
  }
}

bool Warp::moved() const {
  for (std::size_t k = 0; k < loop_.states.size(); ++k) {
    if (!stage_.levels()[k]->is_moved(loop_.states[k], look_ == Look::sparse, lines_)) return false;
  }
  return true;
}

std::uint64_t Warp::exchanges() const {
  std::uint64_t all = 0;
  for (const auto& level : stage_.levels()) all += level->exchanges();
  return all;
}

bool Warp::hits_only() const {
  return lines_ == 0 && exchanges() == exchanges_ &&
         std::ranges::all_of(stage_.levels(), [](const auto& level) { return level->keeps_latest(); });
}

/// Counters are kept by array: what leaves a cache later must belong to the array that what leaves it now belongs to.
/// (A loop's own lines do; but lines of an array before could look like a continuation of it.)
bool Warp::keeps_owners(std::int64_t distance) const {
  return std::ranges::all_of(stage_.levels(),
                             [&](const auto& level) { return level->keeps_owners(stage_.owner(), distance); });
}

bool Warp::end(std::uint64_t remaining) {
  const bool spilled = stage_.spills() != spills_;
  stage_.end_iteration(spilled ? 0 : mark_);
  ++iteration_;
  if (remaining == 0 || !stage_.tells_state()) return false;
  stage_.counts().since(loop_.before, loop_.change);
  changed_alike_ = iteration_ > 1 && loop_.change == loop_.last_change;
  std::swap(loop_.change, loop_.last_change);
  const bool settled = !spilled && hits_only();
  const bool proven = !settled && look_ != Look::none && !spilled && moved();
  const std::int64_t distance = lines_ * static_cast<std::int64_t>(remaining);
  if (settled || (proven && look_ == Look::full && (distance == 0 || keeps_owners(distance)))) {
    stage_.repeat_iteration(mark_, remaining, lines_);
    stage_.counts().repeat_since(loop_.before, remaining);
    for (const auto& level : stage_.levels()) level->move(distance);
    return true;
  }
  decide(proven);
  return false;
}

/// Which look at the state the next iteration is worth. A cache that is still filling up cannot repeat itself.
void Warp::decide(bool proven) {
  if (look_ == Look::full && !proven) {
    wait_until_ = iteration_ + patience_;
    patience_ *= 2;
  }
  const bool filling = stage_.occupied() != occupied_;
  const std::uint64_t work = stage_.lookups() - lookups_;
  const bool cheap = work >= stage_.entries() / 8;  // a full look costs less than such an iteration
  if (filling || iteration_ < wait_until_) {
    look_ = Look::none;
  } else if (cheap || (proven && look_ == Look::sparse)) {
    look_ = Look::full;
  } else {
    look_ = changed_alike_ ? Look::sparse : Look::none;
  }
}

}  // namespace mansard
