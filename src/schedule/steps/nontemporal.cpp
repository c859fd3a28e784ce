// nontemporal(b, …): stores to these arrays go past the caches (streaming stores).
#include "schedule/step.hpp"

namespace mansard::steps {
namespace {

void apply(Scheduling& scheduling, const StepCall& call) {
  Kernel& kernel = scheduling.kernel();
  Diagnostics& diagnostics = scheduling.diagnostics;
  if (call.arguments.empty()) diagnostics.add(call.at, "nontemporal needs the name of an array, as in nontemporal(b)");
  for (const Argument& argument : call.arguments) {
    if (!argument.key.empty()) {
      diagnostics.add(argument.at, "nontemporal takes names of arrays only, as in nontemporal(b)");
      continue;
    }
    Array* array = find_array(kernel, argument.value, argument.at, diagnostics);
    if (array == nullptr) continue;
    if (is_written(kernel, static_cast<ArrayId>(array - kernel.arrays.data()))) {
      array->nontemporal = true;
    } else {
      diagnostics.add(argument.at, "'" + array->name + "' is never stored to, so its stores cannot be non-temporal");
    }
  }
}

}  // namespace

extern const ScheduleStep nontemporal;
const ScheduleStep nontemporal{"nontemporal", "nontemporal(b, …)",
                               "streaming stores: the arrays named are stored past the caches", apply};

}  // namespace mansard::steps
