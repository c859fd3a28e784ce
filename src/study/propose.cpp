#include "study/propose.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "study/reuse.hpp"

namespace mansard {
namespace {

/// Executions by the number of iterations of each loop, which `reuse` knows by its place in the walk.
class Executions {
 public:
  Executions(const Program& program, const std::vector<LoopReuse>& loops) : counts(program.bodies), loops_(loops) {}
  std::vector<std::uint64_t> counts;

  void visit(const std::vector<StreamNode>& nodes, double times) {
    for (const StreamNode& node : nodes) {
      if (const auto* body = std::get_if<Body>(&node.is)) counts[body->id] = static_cast<std::uint64_t>(times);
      if (const auto* guard = std::get_if<StreamGuard>(&node.is))
        visit(guard->body, guard->chance ? times * guard->chance->ratio : times);
      if (const auto* loop = std::get_if<StreamLoop>(&node.is)) {
        visit(loop->before, times);
        const double inside = of(*loop);
        visit(loop->body, inside);
        visit(loop->after, times);
      }
    }
  }

 private:
  double of(const StreamLoop& loop) const {
    const auto found = std::ranges::find(loops_, loop.slot, &LoopReuse::slot);
    return found == loops_.end() ? 0 : found->iterations;
  }
  const std::vector<LoopReuse>& loops_;
};

std::uint64_t whole(double bytes) { return static_cast<std::uint64_t>(std::llround(std::max(0.0, bytes))); }

}  // namespace

std::vector<NestResult> proposed_results(const Machine& machine, const Kernel& kernel, const Program& program) {
  double data = 0;
  for (const Region& region : program.regions) data += static_cast<double>(region.bytes);
  const std::vector<LoopReuse> loops = loop_reuse(kernel, program, machine.caches.front().line);
  std::vector<NestResult> results;
  for (const Nest& nest : program.nests) {
    Executions executions(program, loops);
    executions.visit(nest.nodes, 1);
    Counters counters(machine.caches.size(), program.regions.size());
    std::set<std::uint16_t> loaded;
    std::set<std::uint16_t> stored;
    std::set<std::uint16_t> streamed;
    visit_bodies(nest.nodes, [&](const Body& body) {
      for (const StreamRef& ref : body.refs) {
        (ref.kind == Kind::load ? loaded : ref.kind == Kind::store ? stored : streamed).insert(ref.array);
        Flow& flow = counters.flows[0][ref.array];
        (ref.kind == Kind::load ? flow.demand_fills : flow.write_back) += executions.counts[body.id] * ref.bytes;
      }
    });
    for (std::size_t c = 0; c < machine.caches.size(); ++c) {
      // The innermost loop of which one iteration touches more than the cache holds: everything inside is fetched anew
      // in each of its iterations, and once in each.
      const auto size = static_cast<double>(machine.caches[c].size);
      if (data <= size) continue;
      const LoopReuse* fetching = nullptr;
      bool exceeds = false;
      for (const LoopReuse& loop : loops) {
        if (loop.nest != nest.name) continue;
        fetching = &loop;
        exceeds = loop.bytes > size;
        if (exceeds) break;
      }
      if (fetching == nullptr) continue;
      for (const auto& [array, bytes] : fetching->arrays) {
        // Where every loop keeps what it uses again, each line of an array moves once.
        const double once = static_cast<double>(program.regions[array].bytes);
        const double moved = exceeds ? fetching->iterations * bytes : std::min(fetching->iterations * bytes, once);
        Flow& flow = counters.flows[c + 1][array];
        const bool memory = c + 1 == machine.caches.size();
        if (loaded.contains(array)) flow.demand_fills = whole(moved);
        if (stored.contains(array)) {
          flow.write_back = whole(moved);
          if (!loaded.contains(array)) flow.write_allocate = whole(moved);
        }
        if (streamed.contains(array) && memory) flow.nontemporal = whole(moved);
      }
    }
    results.push_back({nest.name, executions.counts, work_of(nest, executions.counts), std::move(counters), {}});
  }
  return results;
}

}  // namespace mansard
