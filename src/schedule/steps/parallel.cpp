// parallel(k): the loop is shared among cores, in one block each or in chunks dealt out in turn (OpenMP's static
// schedules). Recorded here; stream/cores.hpp runs it.
#include <limits>

#include "schedule/step.hpp"

namespace mansard::steps {
namespace {

void apply(Scheduling& scheduling, const StepCall& call) {
  Kernel& kernel = scheduling.with_loops();
  Diagnostics& diagnostics = scheduling.diagnostics;
  const bool has_chunk = call.arguments.size() == 2 && call.arguments.back().key == "chunk";
  if (call.arguments.size() != (has_chunk ? 2 : 1) || !call.arguments.front().key.empty()) {
    diagnostics.add(call.at,
                    "parallel takes the name of one loop, as in parallel(k), parallel(S2.k) or "
                    "parallel(k, chunk: 4)");
    return;
  }
  Int chunk = 0;
  if (has_chunk) {
    const Argument& size = call.arguments.back();
    const auto read = read_count(size.value, 1, std::numeric_limits<std::int32_t>::max(), size.value_at, diagnostics);
    if (!read) return;
    chunk = *read;
  }
  const Argument& argument = call.arguments.front();
  for (Loop* loop : find_loops(kernel, argument.value, argument.at, diagnostics)) {
    loop->parallel = true;
    loop->chunk = chunk;
  }
}

}  // namespace

extern const ScheduleStep parallel;
const ScheduleStep parallel{"parallel", "parallel(k), parallel(k, chunk: 4)", "shares a loop among cores", apply};

}  // namespace mansard::steps
