#include "study/simulate_cores.hpp"

#include <algorithm>
#include <chrono>

namespace mansard {

CoresSimulation simulate_cores(const Program& program, const Geometry& geometry, std::uint32_t cores,
                               const SimulateOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto hierarchy = options.naive ? make_naive_cores(geometry, program.regions, cores)
                                       : make_cores(geometry, program.regions, cores, options.warp);
  CoresWalker walker(program, cores, hierarchy->step_hook());
  constexpr std::uint64_t interval = 1U << 16U;  // batches between two reports of progress
  std::uint64_t batches = 0;
  const CoreSink sink = [&](std::uint32_t core, const Batch& batch) {
    hierarchy->consume(core, batch);
    if (++batches % interval == 0 && options.progress) options.progress(hierarchy->counters().requests());
  };
  const auto walk = [&](const Nest& nest) {
    walker.reset_executions();
    walker.walk(nest, sink);
  };

  if (!options.cold) {
    for (const Nest& nest : program.nests) walk(nest);
  }
  const std::vector<std::string> serial = serial_nests(program);
  const std::uint64_t lookups_before = hierarchy->lookups();
  const std::vector<SharingCount> sharing_before = hierarchy->sharing();
  CoresSimulation result;
  for (std::size_t n = 0; n < program.nests.size(); ++n) {
    const Nest& nest = program.nests[n];
    const Counters before = hierarchy->counters();
    walk(nest);
    if (options.cold && options.drain && n + 1 == program.nests.size()) hierarchy->drain();
    const std::vector<std::uint64_t> executions = walker.executions();
    const bool shared = std::ranges::find(serial, nest.name) == serial.end();
    result.all.nests.push_back(
        {nest.name, executions, work_of(nest, executions), hierarchy->counters() - before, {}, shared ? cores : 1});
  }
  result.all.threads = options.threads;  // one works for all: the caches of several cores are one joint state
  result.sharing = hierarchy->sharing();
  for (std::size_t a = 0; a < result.sharing.size(); ++a) result.sharing[a] -= sharing_before[a];
  result.all.lookups = hierarchy->lookups() - lookups_before;
  result.all.dirty_left = hierarchy->dirty_lines();
  result.all.seconds = Seconds(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return result;
}

}  // namespace mansard
