#include "workload/recurrence_cycle.hpp"

#include <vector>

namespace mansard {
namespace {

/// A cycle with sum(steps - ratio * distance) > 0, by Bellman-Ford for longest paths: an edge that still improves after
/// as many rounds as there are nodes hangs behind such a cycle.
std::optional<DependenceCycle> cycle_above(double ratio, std::size_t nodes, std::span<const Dependence> graph) {
  constexpr double tolerance = 1e-9;
  std::vector<double> longest(nodes, 0);
  std::vector<const Dependence*> reached_by(nodes, nullptr);
  const Dependence* improved = nullptr;
  for (std::size_t round = 0; round <= nodes; ++round) {
    improved = nullptr;
    for (const Dependence& edge : graph) {
      const double length = longest[edge.from] + steps_of(edge.path) - ratio * edge.distance;
      if (length > longest[edge.to] + tolerance) {
        longest[edge.to] = length;
        reached_by[edge.to] = improved = &edge;
      }
    }
    if (!improved) return std::nullopt;
  }
  std::size_t node = improved->from;
  for (std::size_t i = 0; i < nodes; ++i) node = reached_by[node]->from;  // walks into the cycle
  DependenceCycle cycle{{}, 0};
  const std::size_t start = node;
  do {
    const Dependence& edge = *reached_by[node];
    cycle.path += edge.path;
    cycle.distance += edge.distance;
    node = edge.from;
  } while (node != start);
  return cycle;
}

}  // namespace

double steps_of(const FlopCount& path) {
  const double slow = 4;
  return path.add + path.mul + path.fma + slow * (path.div + path.sqrt + path.call);
}

const std::optional<FlopCount>& slower(const std::optional<FlopCount>& a, const std::optional<FlopCount>& b) {
  if (!a || !b) return a ? a : b;
  return steps_of(*b) > steps_of(*a) ? b : a;
}

std::optional<DependenceCycle> slowest_cycle(std::size_t nodes, std::span<const Dependence> graph) {
  // Newton's method for the maximum ratio (Dinkelbach 1967): raise the ratio to that of a cycle that beats it.
  std::optional<DependenceCycle> slowest;
  double ratio = 0;
  for (;;) {
    const auto better = cycle_above(ratio, nodes, graph);
    if (!better) return slowest;
    const double reached = steps_of(better->path) / static_cast<double>(better->distance);
    if (reached <= ratio) return slowest;
    slowest = better, ratio = reached;
  }
}

}  // namespace mansard
