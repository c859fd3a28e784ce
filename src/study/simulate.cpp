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

}  // namespace

Simulation simulate(const Program& program, const Geometry& geometry, const SimulateOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const std::unique_ptr<Hierarchy> hierarchy =
      options.naive ? make_naive(geometry, program.regions) : make_hierarchy(geometry, program.regions, options.warp);
  Walker walker(program, hierarchy->loop_hook());
  std::uint64_t done = 0;
  std::uint64_t reported = 0;
  const Sink sink = [&](const Batch& batch) {
    hierarchy->consume(batch);
    done += accesses_in(batch);
    constexpr std::uint64_t interval = 1U << 24U;  // accesses between reports: some tenths of a second
    if (options.progress && done - reported > interval) options.progress(reported = done);
  };

  if (!options.cold) {
    for (const Nest& nest : program.nests) walker.walk(nest, sink);
  }
  const std::uint64_t lookups_before = hierarchy->lookups();
  Simulation result;
  for (std::size_t n = 0; n < program.nests.size(); ++n) {
    const Nest& nest = program.nests[n];
    const Counters before = hierarchy->counters();
    walker.reset_executions();
    walker.walk(nest, sink);
    if (options.cold && options.drain && n + 1 == program.nests.size()) hierarchy->drain();
    Counters moved = hierarchy->counters() - before;
    result.nests.push_back({nest.name, walker.executions(), work_of(nest, walker.executions()), std::move(moved)});
  }
  result.lookups = hierarchy->lookups() - lookups_before;
  result.dirty_left = hierarchy->dirty_lines();
  result.seconds = Seconds(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return result;
}

}  // namespace mansard
