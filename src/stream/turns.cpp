#include "stream/turns.hpp"

#include <algorithm>

namespace mansard {

std::uint64_t Assignment::count() const {
  if (chunk == 0) return iterations / cores + (core < iterations % cores ? 1 : 0);
  const std::uint64_t round = chunk * cores, last = iterations % round;
  const std::uint64_t before = core * chunk;
  return iterations / round * chunk + (last > before ? std::min(last - before, chunk) : 0);
}

std::uint64_t Assignment::at(std::uint64_t n) const {
  if (chunk == 0) return core * (iterations / cores) + std::min(core, iterations % cores) + n;
  return (n / chunk * cores + core) * chunk + n % chunk;
}

Turns::Turns(const StreamLoop& loop, Int first, const Assignment& mine, Walker& walker, const Sink& sink)
    : loop_(loop), first_(first), mine_(mine), walker_(walker) {
  walker_.begin(sink);
}

void Turns::take() {
  if (between()) {
    walker_.set(loop_.slot, first_ + static_cast<Int>(mine_.at(begun_++)) * loop_.step);
    open_.emplace_back(loop_.body);
    advance();
  }
  if (inner_ == nullptr) return;
  walker_.iterate(*inner_, inner_left_.first);
  skip_turns(1);
  if (inner_left_.count > 0) return;
  walker_.walk(inner_->after);
  inner_ = nullptr;
  advance();
}

void Turns::skip_turns(std::uint64_t turns) {
  inner_left_.first += static_cast<Int>(turns) * inner_->step;
  inner_left_.count -= turns;
}

/// Runs straight-line code up to the next loop with an iteration, which is entered, or to the end.
void Turns::advance() {
  while (!open_.empty()) {
    std::span<const StreamNode>& nodes = open_.back();
    if (nodes.empty()) {
      open_.pop_back();
      continue;
    }
    const StreamNode& node = nodes.front();
    nodes = nodes.subspan(1);
    if (std::holds_alternative<Body>(node.is)) {
      walker_.walk({&node, 1});
    } else if (const auto* guard = std::get_if<StreamGuard>(&node.is)) {
      if (walker_.enters(*guard)) open_.emplace_back(guard->body);
    } else {
      const auto& loop = std::get<StreamLoop>(node.is);
      inner_left_ = walker_.trips(loop);
      if (inner_left_.count == 0) continue;
      inner_ = &loop;
      walker_.walk(loop.before);
      return;
    }
  }
}

}  // namespace mansard
