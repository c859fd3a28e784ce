// order(k, j, i): puts loops of a band into this order.
#include "schedule/reorder.hpp"
#include "schedule/step.hpp"

namespace mansard::steps {
namespace {

void apply(Scheduling& scheduling, const StepCall& call) {
  const std::vector<const Argument*> loops = loop_names(call);
  if (loops.size() < 2) {
    scheduling.diagnostics.add(call.at, "order takes the names of loops, as in order(j, i, …)");
    return;
  }
  reorder(scheduling, loops, false, call);
}

}  // namespace

extern const ScheduleStep order;
const ScheduleStep order{"order", "order(j, i, …)",
                         "puts loops into the order given, the outermost first; loops not named keep their places",
                         apply};

}  // namespace mansard::steps
