#include "stream/work.hpp"

namespace mansard {

Work& Work::operator+=(const Work& o) {
  updates += o.updates;
  add += o.add, mul += o.mul, fma += o.fma, div += o.div, sqrt += o.sqrt, call += o.call;
  return *this;
}

Work work_of(const Nest& nest, std::span<const std::uint64_t> executions) {
  Work total;
  visit_bodies(nest.nodes, [&](const Body& body) {
    const std::uint64_t n = executions[body.id];
    const FlopCount& f = body.work.flops;
    total += Work{n * body.work.updates, n * f.add, n * f.mul, n * f.fma, n * f.div, n * f.sqrt, n * f.call};
  });
  return total;
}

}  // namespace mansard
