#include "stream/store_paths.hpp"

#include <cstdlib>
#include <map>
#include <optional>
#include <ranges>
#include <utility>

#include "stream/placement.hpp"
#include "workload/recurrence_cycle.hpp"

namespace mansard {
namespace {

using Path = std::optional<FlopCount>;  ///< operations up to a store; none: nothing is stored of it

/// The body read backwards: what follows on each value is known before the statement that gives the value.
class Backwards {
 public:
  Backwards(const Kernel& kernel, const Loop& loop) : kernel_(kernel), loop_(loop) {
    collect(loop.body);
    for (const Line& line : lines_) {
      if (const auto* stored = std::get_if<Access>(&line.statement->target)) first_ = place_of(*stored);
      if (first_) return;
    }
  }

  std::vector<StorePath> paths() {
    if (!first_) return {};
    for (const Line& line : std::ranges::reverse_view(lines_)) read(line);
    std::vector<StorePath> all;
    for (const auto& [load, path] : loads_) all.push_back({load.first, load.second, path});
    return all;
  }

 private:
  struct Line {
    const Statement* statement;
    bool conditional;
  };

  void collect(const std::vector<Node>& nodes, bool conditional = false) {
    for (const Node& node : nodes) {
      if (const auto* statement = std::get_if<Statement>(&node.is)) lines_.push_back({statement, conditional});
      if (const auto* guard = std::get_if<Guard>(&node.is)) collect(guard->body, true);
    }
  }

  /// Byte offset of a contiguously walked element in its array.
  [[nodiscard]] std::optional<Quasi> place_of(const Access& access) const {
    const Array& array = kernel_.arrays[access.array];
    if (array.is_private || !access.indices.empty() || access.subscripts.empty()) return std::nullopt;
    const Quasi at = flat_index(array, access.subscripts);
    if (std::abs(at.coefficient(loop_.slot) * loop_.step) != 1) return std::nullopt;
    for (const Floor& floor : at.floors) {
      if (floor.inner.uses(loop_.slot)) return std::nullopt;
    }
    return at * static_cast<Int>(bytes_of(array.type));
  }

  void read(const Line& line) {
    const Statement& statement = *line.statement;
    Path after;
    if (const auto* scalar = std::get_if<ScalarId>(&statement.target)) {
      after = after_[*scalar];
      if (!line.conditional) after_[*scalar].reset();
    } else {
      after = FlopCount{};
    }
    if (!after) return;
    *after += operation_of(operator_of(statement.assign));
    reach(statement.value, *after);
    if (statement.assign == Assign::set) return;
    if (const auto* scalar = std::get_if<ScalarId>(&statement.target)) {
      after_[*scalar] = slower(after_[*scalar], after);
    } else {
      arrive(std::get<Access>(statement.target), *after);
    }
  }

  /// `path` follows on the value.
  void reach(const Value& value, FlopCount path) {
    if (value.op == Op::scalar) after_[value.scalar] = slower(after_[value.scalar], path);
    if (value.op == Op::load) arrive(value.access, path);
    path += operation_of(value.op);
    for (const Value& operand : value.operands) reach(operand, path);
  }

  void arrive(const Access& access, const FlopCount& path) {
    const auto place = place_of(access);
    if (!place) return;
    const Quasi distance = *place - *first_;
    if (!distance.is_constant()) return;
    const auto [known, is_new] = loads_.try_emplace({access.array, distance.constant}, path);
    if (!is_new) known->second = *slower(known->second, path);
  }

  const Kernel& kernel_;
  const Loop& loop_;
  std::vector<Line> lines_;
  std::optional<Quasi> first_;  ///< the first contiguous store
  std::map<ScalarId, Path> after_;
  std::map<std::pair<ArrayId, Int>, FlopCount> loads_;
};

}  // namespace

std::vector<StorePath> store_paths(const Kernel& kernel, const Loop& loop) { return Backwards(kernel, loop).paths(); }

}  // namespace mansard
