#include "stream/cores.hpp"

#include <algorithm>

namespace mansard {
namespace {

bool shares(std::span<const StreamNode> nodes) {
  return std::ranges::any_of(nodes, [](const StreamNode& node) {
    if (const auto* guard = std::get_if<StreamGuard>(&node.is)) return shares(guard->body);
    const auto* loop = std::get_if<StreamLoop>(&node.is);
    return loop != nullptr && (loop->parallel || shares(loop->body));
  });
}

}  // namespace

CoresWalker::CoresWalker(const Program& program, std::uint32_t cores, StepHook* hook) : hook_(hook), sinks_(cores) {
  if (hook_ != nullptr) shapes_.emplace(hook_->line_bytes());
  for (std::uint32_t c = 0; c < cores; ++c) walkers_.emplace_back(program);
}

std::vector<std::uint64_t> CoresWalker::executions() const {
  std::vector<std::uint64_t> sum(walkers_.front().executions().size());
  for (const Walker& walker : walkers_) {
    for (std::size_t b = 0; b < sum.size(); ++b) sum[b] += walker.executions()[b];
  }
  return sum;
}

void CoresWalker::reset_executions() {
  for (Walker& walker : walkers_) walker.reset_executions();
}

void CoresWalker::walk(const Nest& nest, const CoreSink& sink) {
  for (std::uint32_t c = 0; c < sinks_.size(); ++c) {
    sinks_[c] = [&sink, c](const Batch& batch) { sink(c, batch); };
    walkers_[c].begin(sinks_[c]);
  }
  serial(nest.nodes);
}

void CoresWalker::serial(std::span<const StreamNode> nodes) {
  for (const StreamNode& node : nodes) {
    const std::span<const StreamNode> alone(&node, 1);
    if (!shares(alone)) {
      walkers_.front().walk(alone);
    } else if (const auto* guard = std::get_if<StreamGuard>(&node.is)) {
      if (walkers_.front().enters(*guard)) serial(guard->body);
    } else if (const auto& loop = std::get<StreamLoop>(node.is); loop.parallel) {
      share(loop);
    } else {
      serial(loop);
    }
  }
}

void CoresWalker::serial(const StreamLoop& loop) {
  Walker& core0 = walkers_.front();
  auto [value, count] = core0.trips(loop);
  if (count == 0) return;
  core0.walk(loop.before);
  for (; count > 0; --count, value += loop.step) {
    core0.set(loop.slot, value);
    serial(loop.body);
  }
  core0.walk(loop.after);
}

void CoresWalker::share(const StreamLoop& loop) {
  const auto [first, count] = walkers_.front().trips(loop);
  if (count == 0) return;
  const std::vector<Int> fork(walkers_.front().environment().begin(), walkers_.front().environment().end());
  const auto cores = static_cast<std::uint32_t>(walkers_.size());
  turns_.clear();
  std::size_t has_last = 0;  // the core with the last iteration: what its indices are then, they are afterwards
  for (std::uint32_t c = 0; c < cores; ++c) {
    const Assignment mine{count, cores, c, static_cast<std::uint64_t>(loop.chunk)};
    if (mine.count() == 0) continue;
    if (mine.at(mine.count() - 1) == count - 1) has_last = c;
    walkers_[c].set_environment(fork);
    walkers_[c].walk(loop.before);
    turns_.emplace_back(loop, first, mine, walkers_[c], sinks_[c]);
  }
  std::vector<Stretch> stretches;  // of blocks: chunks are not next to each other
  if (shapes_ && loop.chunk == 0) stretches = shapes_->stretches(loop, first, count, fork);
  while (!done()) {
    if (stretches.empty() || !between() || !offer(common_laps(stretches), true)) rounds();
  }
  // Cores get iterations in ascending order, so those that did are the first ones.
  for (std::size_t c = 0; c < turns_.size(); ++c) walkers_[c].walk(loop.after);
  const std::span<const Int> last = walkers_[has_last].environment();
  walkers_.front().set_environment(std::vector<Int>(last.begin(), last.end()));
}

Stretch CoresWalker::common_laps(const std::vector<Stretch>& stretches) const {
  Stretch all{0, ~std::uint64_t{0}, 0, 0};
  auto where = stretches.end();
  for (const Turns& turns : turns_) {
    if (turns.done()) continue;
    const std::uint64_t at = turns.next();
    const auto here = std::ranges::find_if(stretches, [at](const Stretch& s) { return at < s.to; });
    if (where != stretches.end() && here != where) return {0, 0, 0, 0};
    where = here;
    all = {0, std::min({all.to, here->to - at, turns.left()}), here->period, here->lines};
  }
  return all;
}

Stretch CoresWalker::common_rounds() {
  std::optional<Stretch> all;
  const StreamLoop* loop = nullptr;
  for (std::size_t c = 0; c < turns_.size(); ++c) {
    if (turns_[c].done()) continue;
    if (turns_[c].inner() == nullptr || (loop != nullptr && loop != turns_[c].inner())) return {0, 0, 0, 0};
    loop = turns_[c].inner();
    const auto [first, left] = turns_[c].inner_left();
    const Stretch mine = shapes_->stretches(*loop, first, left, walkers_[c].environment()).front();
    if (!all) all = mine;
    if (mine.period != all->period || mine.lines != all->lines) return {0, 0, 0, 0};
    all->to = std::min({all->to, mine.to, left - 1});  // what follows the loop belongs to the last turn
  }
  return all.value_or(Stretch{0, 0, 0, 0});
}

/// Gives the steps ahead to the hook if they are enough for a proof; false if they are not.
bool CoresWalker::offer(const Stretch& ahead, bool laps) {
  constexpr std::uint64_t fewest = 3;  // periods: a proof takes two
  if (ahead.period == 0 || ahead.to / ahead.period < fewest) return false;
  CommonSteps steps(*this, laps);
  hook_->steps(ahead.to, ahead.period, ahead.lines, steps);
  return true;
}

bool CoresWalker::done() const { return std::ranges::all_of(turns_, &Turns::done); }
bool CoresWalker::between() const { return std::ranges::all_of(turns_, &Turns::between); }

void CoresWalker::round() {
  for (Turns& turns : turns_) {
    if (!turns.done()) turns.take();
  }
}

/// One round, and at the start of a lap as many as repeat each other.
void CoresWalker::rounds() {
  const bool starts = between();
  round();
  if (starts && shapes_) offer(common_rounds(), false);
}

bool CoresWalker::run_laps(std::uint64_t laps) {
  std::vector<std::pair<const Turns*, std::uint64_t>> ends;  // how much each core has left then
  for (const Turns& turns : turns_) {
    if (!turns.done()) ends.emplace_back(&turns, turns.left() - laps);
  }
  while (true) {
    rounds();
    if (std::ranges::all_of(ends, [](const auto& e) { return e.first->between() && e.first->left() == e.second; })) {
      return true;
    }
    if (std::ranges::any_of(ends, [](const auto& e) { return e.first->left() < e.second; })) return false;
  }
}

bool CommonSteps::run(std::uint64_t steps) {
  if (laps_) return walker_.run_laps(steps);
  for (; steps > 0; --steps) walker_.round();
  return true;
}

void CommonSteps::mark() {
  marked_.clear();
  for (const Walker& walker : walker_.walkers_) marked_.push_back(walker.executions());
}

void CommonSteps::repeat(std::uint64_t steps, std::uint64_t times) {
  for (std::size_t c = 0; c < walker_.walkers_.size(); ++c) {
    walker_.walkers_[c].repeat_executions(marked_[c], times);
  }
  for (Turns& turns : walker_.turns_) {
    if (!turns.done()) laps_ ? turns.skip(steps * times) : turns.skip_turns(steps * times);
  }
}

std::vector<std::string> serial_nests(const Program& program) {
  std::vector<std::string> names;
  for (const Nest& nest : program.nests) {
    if (!shares(nest.nodes)) names.push_back(nest.name);
  }
  return names;
}

}  // namespace mansard
