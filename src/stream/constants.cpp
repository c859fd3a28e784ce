#include "stream/constants.hpp"

#include <algorithm>
#include <set>

namespace mansard {
namespace {

void find_scalars(const Value& value, std::set<ScalarId>& read) {
  if (value.op == Op::scalar) read.insert(value.scalar);
  for (const Value& operand : value.operands) find_scalars(operand, read);
}

void find_scalars(const std::vector<Node>& nodes, std::set<ScalarId>& read, std::set<ScalarId>& written) {
  for (const Node& node : nodes) {
    if (const auto* statement = std::get_if<Statement>(&node.is)) {
      find_scalars(statement->value, read);
      if (const auto* scalar = std::get_if<ScalarId>(&statement->target)) written.insert(*scalar);
    } else if (const auto* guard = std::get_if<Guard>(&node.is)) {
      find_scalars(guard->body, read, written);
    }
  }
}

}  // namespace

std::uint32_t constants_of(const Loop& loop) {
  std::set<ScalarId> read, written;
  find_scalars(loop.body, read, written);
  return static_cast<std::uint32_t>(std::ranges::count_if(read, [&](ScalarId s) { return !written.contains(s); }));
}

}  // namespace mansard
