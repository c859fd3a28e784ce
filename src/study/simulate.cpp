#include "study/simulate.hpp"

#include <chrono>
#include <memory>

#include "stream/walker.hpp"

namespace mansard {
namespace {

std::uint64_t accesses_in(const Batch& batch) {
  if (const auto* run = std::get_if<Run>(&batch)) return run->count * run->refs.size();
  return std::get<1>(batch).size();
}

/// Reports the accesses accounted for, those of skipped iterations included, once in a while.
class Reporter {
 public:
  Reporter(const Program& program, const Walker& walker, const std::function<void(std::uint64_t)>& report)
      : walker_(walker), report_(report), refs_(program.bodies) {
    for (const Nest& nest : program.nests) {
      visit_bodies(nest.nodes, [&](const Body& body) { refs_[body.id] = body.refs.size(); });
    }
  }
  void seen(std::uint64_t accesses) {
    constexpr std::uint64_t interval = 1U << 24U;  // accesses: some tenths of a second
    since_ += accesses;
    if (!report_ || since_ < interval) return;
    since_ = 0;
    report_(before_ + accounted());
  }
  /// The walker is about to forget its executions.
  void nest_done() { before_ += accounted(); }

 private:
  [[nodiscard]] std::uint64_t accounted() const {
    std::uint64_t accesses = 0;
    for (std::size_t b = 0; b < refs_.size(); ++b) accesses += refs_[b] * walker_.executions()[b];
    return accesses;
  }

  const Walker& walker_;
  const std::function<void(std::uint64_t)>& report_;
  std::vector<std::uint64_t> refs_;  // [body]
  std::uint64_t since_ = 0, before_ = 0;
};

}  // namespace

Simulation simulate(const Program& program, const Geometry& geometry, const SimulateOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const std::unique_ptr<Hierarchy> hierarchy =
      options.naive ? make_naive(geometry, program.regions) : make_hierarchy(geometry, program.regions, options.warp);
  Walker walker(program, hierarchy->loop_hook());
  Reporter reporter(program, walker, options.progress);
  const Sink sink = [&](const Batch& batch) {
    hierarchy->consume(batch);
    reporter.seen(accesses_in(batch));
  };
  const auto walk = [&](const Nest& nest) {
    walker.reset_executions();
    walker.walk(nest, sink);
    reporter.nest_done();
  };

  if (!options.cold) {
    for (const Nest& nest : program.nests) walk(nest);
  }
  const std::uint64_t lookups_before = hierarchy->lookups();
  Simulation result;
  for (std::size_t n = 0; n < program.nests.size(); ++n) {
    const Nest& nest = program.nests[n];
    const Counters before = hierarchy->counters();
    walk(nest);
    if (options.cold && options.drain && n + 1 == program.nests.size()) hierarchy->drain();
    Counters moved = hierarchy->counters() - before;
    result.nests.push_back({nest.name, walker.executions(), work_of(nest, walker.executions()), std::move(moved), {}});
  }
  result.lookups = hierarchy->lookups() - lookups_before;
  result.dirty_left = hierarchy->dirty_lines();
  result.seconds = Seconds(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return result;
}

}  // namespace mansard
