#include "workload/recurrence.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>

#include "workload/recurrence_cycle.hpp"
#include "workload/recurrence_places.hpp"
#include "workload/recurrence_reduction.hpp"

namespace mansard {
namespace {

constexpr std::size_t most_carried = 256;  // values followed; a bound on time for bodies unrolled to thousands of lines

struct Line {
  const Statement* statement;
  bool conditional;
  std::size_t target;
};

/// A value that an iteration reads from an earlier one: read at `place`, written at `writer`.
struct Carried {
  std::size_t place, writer;
  std::uint32_t distance;
};

using Path = std::optional<FlopCount>;  ///< operations since the carried value; none: independent of it

/// The body of an innermost loop as a list of assignments between places.
class LoopBody {
 public:
  LoopBody(const Kernel& kernel, const Loop& loop) : kernel_(kernel), places_(loop) {
    collect(loop.body, false);
    find_carried();
  }

  [[nodiscard]] std::span<const Carried> carried() const { return carried_; }

  /// Operations from carried value `source` to what every other carried value becomes at the end of the iteration.
  void trace(std::size_t source, std::vector<Dependence>& graph) const {
    std::vector<Path> values(places_.size());
    values[carried_[source].place] = FlopCount{};
    for (const Line& line : lines_) {
      Path result = path_of(line.statement->value, values);
      if (line.statement->assign != Assign::set) result = slower(result, values[line.target]);
      if (result) *result += operation_of(operator_of(line.statement->assign));
      values[line.target] = line.conditional ? slower(values[line.target], result) : result;
    }
    for (std::size_t t = 0; t < carried_.size(); ++t) {
      if (const Path& path = values[carried_[t].writer]) graph.push_back({source, t, *path, carried_[t].distance});
    }
  }

  /// Every use of the value is one and the same kind of accumulation.
  [[nodiscard]] bool is_reduction(const Carried& value) const {
    if (value.place != value.writer) return false;
    const auto is_it = [&](const Value& v) { return place_of(v) == value.place; };
    std::optional<Reduction> kind;
    for (const Line& line : lines_) {
      if (line.target != value.place) {
        if (occurrences(line.statement->value, is_it) > 0) return false;
        continue;
      }
      const auto found = reduction_of(*line.statement, is_it);
      if (!found || (kind && *kind != *found)) return false;
      kind = found;
    }
    return std::none_of(conditions_.begin(), conditions_.end(),
                        [&](const Value* condition) { return occurrences(*condition, is_it) > 0; });
  }

 private:
  void collect(const std::vector<Node>& nodes, bool conditional) {
    for (const Node& node : nodes) {
      if (const auto* statement = std::get_if<Statement>(&node.is)) {
        number(statement->value);
        const auto place = [&](const auto& target) { return places_.of(target); };
        lines_.push_back({statement, conditional, std::visit(place, statement->target)});
      } else if (const auto* guard = std::get_if<Guard>(&node.is)) {
        for (const Value& value : guard->data) number(value), conditions_.push_back(&value);
        collect(guard->body, true);
      }
    }
  }

  void number(const Value& value) {
    if (value.op == Op::scalar) leaf_[&value] = places_.of(value.scalar);
    if (value.op == Op::load) leaf_[&value] = places_.of(value.access);
    for (const Value& operand : value.operands) number(operand);
  }

  [[nodiscard]] std::size_t place_of(const Value& value) const {
    const auto found = leaf_.find(&value);
    return found == leaf_.end() ? std::numeric_limits<std::size_t>::max() : found->second;
  }

  /// Integer chains take a cycle per operation and never bind next to the loads around them.
  [[nodiscard]] bool is_floating(const Line& line) const {
    const auto* access = std::get_if<Access>(&line.statement->target);
    return is_float(access ? kernel_.arrays[access->array].type
                           : kernel_.scalars[std::get<ScalarId>(line.statement->target)].type);
  }

  void find_carried() {
    std::vector<std::size_t> stored;  // distinct places
    for (const Line& line : lines_) {
      if (is_floating(line)) stored.push_back(line.target);
    }
    std::sort(stored.begin(), stored.end());
    stored.erase(std::unique(stored.begin(), stored.end()), stored.end());
    std::vector<bool> written(places_.size()), seen(places_.size());
    const auto read = [&](std::size_t place) {
      if (written[place] || seen[place] || carried_.size() == most_carried) return;
      seen[place] = true;
      std::optional<Carried> latest;
      for (const std::size_t writer : stored) {
        const auto distance = places_.distance(writer, place);
        if (distance && (!latest || *distance < latest->distance)) latest = Carried{place, writer, *distance};
      }
      if (latest) carried_.push_back(*latest);
    };
    for (const Line& line : lines_) {
      read_leaves(line.statement->value, read);
      if (line.statement->assign != Assign::set) read(line.target);
      if (!line.conditional) written[line.target] = true;
    }
  }

  template <class Read>
  void read_leaves(const Value& value, const Read& read) const {
    if (const auto found = leaf_.find(&value); found != leaf_.end()) read(found->second);
    for (const Value& operand : value.operands) read_leaves(operand, read);
  }

  [[nodiscard]] Path path_of(const Value& value, const std::vector<Path>& values) const {
    if (const auto found = leaf_.find(&value); found != leaf_.end()) return values[found->second];
    Path slowest;
    for (const Value& operand : value.operands) slowest = slower(slowest, path_of(operand, values));
    if (slowest) *slowest += operation_of(value.op);
    return slowest;
  }

  const Kernel& kernel_;
  Places places_;
  std::vector<Line> lines_;
  std::vector<const Value*> conditions_;
  std::unordered_map<const Value*, std::size_t> leaf_;  ///< place of each scalar and element that is read
  std::vector<Carried> carried_;
};

Recurrence to_recurrence(const DependenceCycle& cycle, bool reassociable) {
  const std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  return {cycle.path, static_cast<std::uint32_t>(std::min(cycle.distance, most)), reassociable};
}

}  // namespace

Recurrence recurrence_of(const Kernel& kernel, const Loop& loop) {
  bool has_loop = false;
  visit_nodes(loop.body, [&](const Node& node) { has_loop = has_loop || std::holds_alternative<Loop>(node.is); });
  if (has_loop) return {};

  const LoopBody body(kernel, loop);
  std::vector<Dependence> rigid, flexible;
  for (std::size_t c = 0; c < body.carried().size(); ++c) {
    body.trace(c, body.is_reduction(body.carried()[c]) ? flexible : rigid);
  }
  if (const auto cycle = slowest_cycle(body.carried().size(), rigid)) return to_recurrence(*cycle, false);
  if (const auto cycle = slowest_cycle(body.carried().size(), flexible)) return to_recurrence(*cycle, true);
  return {};
}

}  // namespace mansard
