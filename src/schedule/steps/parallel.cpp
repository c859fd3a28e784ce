// parallel(k): the loop is shared among cores. Recorded here; what it does is decided where cores are simulated.
#include "schedule/step.hpp"

namespace mansard::steps {
namespace {

void apply(Scheduling& scheduling, const StepCall& call) {
  Kernel& kernel = scheduling.with_loops();
  Diagnostics& diagnostics = scheduling.diagnostics;
  if (call.arguments.size() != 1 || !call.arguments.front().key.empty()) {
    diagnostics.add(call.at, "parallel takes the name of one loop, as in parallel(k) or parallel(S2.k)");
    return;
  }
  const Argument& argument = call.arguments.front();
  for (Loop* loop : find_loops(kernel, argument.value, argument.at, diagnostics)) loop->parallel = true;
}

}  // namespace

extern const ScheduleStep parallel;
const ScheduleStep parallel{"parallel", "parallel(k)", "shares a loop among cores", apply};

}  // namespace mansard::steps
