// vectorize(i): SIMD instructions in the innermost loops within loop i, whatever the model thinks of their chains:
// along the loop, or, where i was unrolled and jammed, across its copies. A matter of the in-core model; traffic stays.
#include "schedule/step.hpp"

namespace mansard::steps {
namespace {

void apply(Scheduling& scheduling, const StepCall& call) {
  if (call.arguments.size() != 1 || !call.arguments.front().key.empty()) {
    scheduling.diagnostics.add(call.at, "vectorize takes the name of one loop, as in vectorize(i)");
    return;
  }
  const Argument& argument = call.arguments.front();
  for (Loop* loop : find_loops(scheduling.with_loops(), argument.value, argument.at, scheduling.diagnostics)) {
    loop->simd = Simd::vector;
    visit_nodes(loop->body, [](Node& node) {
      if (auto* inner = std::get_if<Loop>(&node.is)) inner->simd = Simd::vector;
    });
  }
}

}  // namespace

extern const ScheduleStep vectorize;
const ScheduleStep vectorize{"vectorize", "vectorize(i)", "SIMD instructions in the innermost loops within this loop",
                             apply};

}  // namespace mansard::steps
