// reassociate: sums and products that grow by `+=`, `-=` or `*=` may be taken in any order by the steps after it.
#include "schedule/step.hpp"

namespace mansard::steps {
namespace {

void apply(Scheduling& scheduling, const StepCall& call) {
  if (!call.arguments.empty()) {
    scheduling.diagnostics.add(call.arguments.front().at, "reassociate takes no arguments");
    return;
  }
  scheduling.allow_reassociation();
}

}  // namespace

extern const ScheduleStep reassociate;
const ScheduleStep reassociate{
    "reassociate", "reassociate",
    "lets the steps after it take sums (`+=`) and products in any order, as -ffast-math does", apply};

}  // namespace mansard::steps
