// parallel(k): the loop is shared among cores, in one block each or in chunks dealt out in turn (OpenMP's static
// schedules). Its iterations then run in any order, so none may need what another leaves. Recorded here;
// stream/cores.hpp runs it.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "schedule/races.hpp"
#include "schedule/step.hpp"

namespace mansard::steps {
namespace {

/// Marks the loops named in a piece of the loop tree.
void mark(std::vector<Node>& nodes, const std::string& name, const std::string& statement, Int chunk) {
  visit_nodes(nodes, [&](Node& node) {
    auto* loop = std::get_if<Loop>(&node.is);
    if (loop == nullptr || loop->name != name) return;
    if (!statement.empty() && !contains_statement(loop->body, statement)) return;
    loop->parallel = true;
    loop->chunk = chunk;
  });
}

void share(Scheduling& scheduling, std::size_t r, const Argument& argument, Int chunk, const StepCall& call) {
  const auto [statement, name] = split_loop_name(argument.value);
  if (!may_share(scheduling, r, argument.value, call)) return;
  Branch& root = scheduling.nests().roots[r];
  if (root.kind == Branch::Kind::opaque) return mark(root.nodes, name, statement, chunk);
  for (Branch* loop : loops_named(root, scheduling.nests(), argument.value)) {
    loop->parallel = true;
    loop->chunk = chunk;
  }
  std::vector<Node> kept{scheduling.kernel().nests[r]};
  mark(kept, name, statement, chunk);
  scheduling.kernel().nests[r] = std::move(kept.front());
}

void apply(Scheduling& scheduling, const StepCall& call) {
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
  for (const std::size_t r : scheduling.roots_with(argument.value, argument.at, true))
    share(scheduling, r, argument, chunk, call);
}

}  // namespace

extern const ScheduleStep parallel;
const ScheduleStep parallel{"parallel", "parallel(k), parallel(k, chunk: 4)", "shares a loop among cores", apply};

}  // namespace mansard::steps
