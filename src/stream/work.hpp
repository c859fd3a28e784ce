// The work that a walk did: the bodies' worth times their executions.
#pragma once

#include <cstdint>
#include <span>

#include "stream/program.hpp"

namespace mansard {

/// Totals of one nest or of all.
struct Work {
  std::uint64_t updates = 0;
  std::uint64_t add = 0, mul = 0, fma = 0, div = 0, sqrt = 0, call = 0;  ///< as written
  [[nodiscard]] std::uint64_t flops() const { return add + mul + 2 * fma + div + sqrt; }
  Work& operator+=(const Work& o);
  friend bool operator==(const Work&, const Work&) = default;
};

/// `executions[id]` = how often Body id ran.
Work work_of(const Nest& nest, std::span<const std::uint64_t> executions);

/// Calls visitor(const Body&) for every body of a nest, hoisted ones included.
template <class Visitor>
void visit_bodies(const std::vector<StreamNode>& nodes, Visitor&& visitor) {
  for (const StreamNode& node : nodes) {
    if (const auto* body = std::get_if<Body>(&node.is)) visitor(*body);
    if (const auto* guard = std::get_if<StreamGuard>(&node.is)) visit_bodies(guard->body, visitor);
    if (const auto* loop = std::get_if<StreamLoop>(&node.is)) {
      visit_bodies(loop->before, visitor);
      visit_bodies(loop->body, visitor);
      visit_bodies(loop->after, visitor);
    }
  }
}

/// Everything that one simulation of a program gives: per nest what was executed and what was moved.
struct NestTally {
  std::string name;
  std::vector<std::uint64_t> executions;  ///< per Body::id of the program
  Work work;
};

}  // namespace mansard
