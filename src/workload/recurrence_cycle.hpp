// The slowest cycle of a dependence graph: the largest sum of operations over sum of distances.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "workload/kernel.hpp"

namespace mansard {

/// Value `to`, `distance` iterations later, depends on value `from` through the operations of `path`.
struct Dependence {
  std::size_t from = 0, to = 0;
  FlopCount path;
  std::uint32_t distance = 1;
};

struct DependenceCycle {
  FlopCount path;
  std::uint64_t distance = 1;
};

/// Steps that stand for a path where no latencies are known: one per operation, four for a division or square root.
double steps_of(const FlopCount& path);

/// The path with more steps; none counts as none at all.
const std::optional<FlopCount>& slower(const std::optional<FlopCount>& a, const std::optional<FlopCount>& b);

/// The simple cycle with the most steps per iteration; none if no cycle has an operation.
std::optional<DependenceCycle> slowest_cycle(std::size_t nodes, std::span<const Dependence> graph);

}  // namespace mansard
