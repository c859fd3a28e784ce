// scalar, scalar(i): no SIMD instructions, in all loops or within one. A matter of the in-core model; traffic stays.
#include "schedule/step.hpp"

namespace mansard::steps {
namespace {

void make_scalar(std::vector<Node>& nodes) {
  visit_nodes(nodes, [](Node& node) {
    if (auto* loop = std::get_if<Loop>(&node.is)) loop->simd = Simd::scalar;
  });
}

void apply(Scheduling& scheduling, const StepCall& call) {
  Kernel& kernel = scheduling.with_loops();
  if (call.arguments.empty()) make_scalar(kernel.nests);
  for (const Argument& argument : call.arguments) {
    if (!argument.key.empty()) {
      scheduling.diagnostics.add(argument.at, "scalar takes names of loops, as in scalar(i), or stands alone");
      continue;
    }
    for (Loop* loop : find_loops(kernel, argument.value, argument.at, scheduling.diagnostics)) {
      loop->simd = Simd::scalar;
      make_scalar(loop->body);
    }
  }
}

}  // namespace

extern const ScheduleStep scalar;
const ScheduleStep scalar{"scalar", "scalar", "no SIMD instructions, in all loops or within those named", apply};

}  // namespace mansard::steps
