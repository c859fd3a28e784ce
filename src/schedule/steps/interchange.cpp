// interchange(j, i): exchanges two loops. J. R. Allen, K. Kennedy, "Automatic loop interchange", PLDI 1984.
#include "schedule/reorder.hpp"
#include "schedule/step.hpp"

namespace mansard::steps {
namespace {

void apply(Scheduling& scheduling, const StepCall& call) {
  const std::vector<const Argument*> loops = loop_names(call);
  if (loops.size() != 2) {
    scheduling.diagnostics.add(call.at, "interchange takes the names of loops, as in interchange(j, i)");
    return;
  }
  reorder(scheduling, loops, true, call);
}

}  // namespace

extern const ScheduleStep interchange;
const ScheduleStep interchange{"interchange", "interchange(j, i)", "exchanges two loops of a band", apply};

}  // namespace mansard::steps
