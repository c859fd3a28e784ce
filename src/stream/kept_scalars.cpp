#include "stream/kept_scalars.hpp"

#include <algorithm>
#include <set>

namespace mansard {
namespace {

void find_scalars(const Value& value, std::set<ScalarId>& read) {
  if (value.op == Op::scalar) read.insert(value.scalar);
  for (const Value& operand : value.operands) find_scalars(operand, read);
}

}  // namespace

KeptScalars kept_scalars(const Loop& loop) {
  std::set<ScalarId> read, written, accumulated;
  visit_nodes(loop.body, [&](const Node& node) {
    const auto* statement = std::get_if<Statement>(&node.is);
    if (!statement) return;
    find_scalars(statement->value, read);
    if (const auto* scalar = std::get_if<ScalarId>(&statement->target))
      (statement->assign == Assign::set ? written : accumulated).insert(*scalar);
  });
  const auto constant = [&](ScalarId s) { return !written.contains(s) && !accumulated.contains(s); };
  const auto kept = [&](ScalarId s) { return !written.contains(s); };
  return {static_cast<std::uint32_t>(std::ranges::count_if(read, constant)),
          static_cast<std::uint32_t>(std::ranges::count_if(accumulated, kept))};
}

}  // namespace mansard
