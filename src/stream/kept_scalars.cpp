#include "stream/kept_scalars.hpp"

#include <algorithm>
#include <set>

namespace mansard {
namespace {

void find_scalars(const Value& value, std::set<ScalarId>& read) {
  if (value.op == Op::scalar) read.insert(value.scalar);
  for (const Value& operand : value.operands) find_scalars(operand, read);
}

struct Uses {
  std::set<ScalarId> read, written, accumulated;
};

void find_scalars(const std::vector<Node>& nodes, Uses& uses) {
  for (const Node& node : nodes) {
    if (const auto* statement = std::get_if<Statement>(&node.is)) {
      find_scalars(statement->value, uses.read);
      if (const auto* scalar = std::get_if<ScalarId>(&statement->target))
        (statement->assign == Assign::set ? uses.written : uses.accumulated).insert(*scalar);
    } else if (const auto* guard = std::get_if<Guard>(&node.is)) {
      find_scalars(guard->body, uses);
    }
  }
}

}  // namespace

KeptScalars kept_scalars(const Loop& loop) {
  Uses uses;
  find_scalars(loop.body, uses);
  const auto constant = [&](ScalarId s) { return !uses.written.contains(s) && !uses.accumulated.contains(s); };
  const auto kept = [&](ScalarId s) { return !uses.written.contains(s); };
  return {static_cast<std::uint32_t>(std::ranges::count_if(uses.read, constant)),
          static_cast<std::uint32_t>(std::ranges::count_if(uses.accumulated, kept))};
}

}  // namespace mansard
