#include "schedule/step.hpp"

#include <algorithm>
#include <sstream>
#include <string>

namespace mansard {
namespace {

constexpr double most_bytes = 140737488355328.0;  // 2^47, design section 4

double total_bytes(const Kernel& kernel) {
  double total = 0;
  for (const Array& a : kernel.arrays) {
    double bytes = bytes_of(a.type);
    for (std::size_t d = 0; d < a.extents.size(); ++d) {
      bytes *= static_cast<double>(a.extents[d]) + (a.padding.empty() ? 0.0 : static_cast<double>(a.padding[d]));
    }
    total += bytes;
  }
  return total;
}

}  // namespace

void apply_schedule(Kernel& kernel, const std::vector<StepCall>& steps, bool force) {
  Scheduling scheduling(kernel, force);
  Diagnostics& diagnostics = scheduling.diagnostics;
  std::vector<std::string> names;
  for (const ScheduleStep* step : schedule_steps()) names.emplace_back(step->name);
  for (const StepCall& call : steps) {
    const auto all = schedule_steps();
    const auto found = std::ranges::find_if(all, [&](const ScheduleStep* s) { return call.name == s->name; });
    if (found == all.end()) {
      diagnostics.add({call.at,
                       {},
                       "unknown schedule step '" + call.name + "'; known are " + join(names),
                       suggest(call.name, names)});
      continue;
    }
    const std::size_t before = diagnostics.list().size();
    (*found)->apply(scheduling, call);
    if (diagnostics.list().size() == before) kernel.schedule.push_back(call.text);
    if (total_bytes(kernel) > most_bytes) {
      diagnostics.add(call.at, "after this step the arrays take more than 2^47 bytes");
      break;
    }
  }
  diagnostics.throw_if_any();
  scheduling.with_loops();
}

Array* find_array(Kernel& kernel, const std::string& name, const Position& at, Diagnostics& diagnostics) {
  const auto array = std::ranges::find(kernel.arrays, name, &Array::name);
  if (array != kernel.arrays.end()) return &*array;
  std::vector<std::string> names;
  for (const Array& a : kernel.arrays) names.push_back(a.name);
  diagnostics.add({at, {}, "no array is called '" + name + "'; the arrays are " + join(names), suggest(name, names)});
  return nullptr;
}

std::vector<Loop*> find_loops(Kernel& kernel, const std::string& name, const Position& at, Diagnostics& diagnostics) {
  const auto parts = split_loop_name(name);
  const std::string& statement = parts.first;
  const std::string& loop_name = parts.second;
  std::vector<Loop*> loops;
  std::vector<std::string> names;
  visit_nodes(kernel.nests, [&](Node& node) {
    auto* loop = std::get_if<Loop>(&node.is);
    if (loop == nullptr) return;
    if (std::ranges::find(names, loop->name) == names.end()) names.push_back(loop->name);
    if (loop->name == loop_name && (statement.empty() || contains_statement(loop->body, statement)))
      loops.push_back(loop);
  });
  if (loops.empty()) {
    diagnostics.add(
        {at, {}, "no loop is called '" + name + "'; the loops are " + join(names), suggest(loop_name, names)});
  }
  return loops;
}

bool is_written(const Kernel& kernel, ArrayId array) {
  bool written = false;
  visit_nodes(kernel.nests, [&](const Node& node) {
    const auto* s = std::get_if<Statement>(&node.is);
    const auto* target = s == nullptr ? nullptr : std::get_if<Access>(&s->target);
    written = written || (target != nullptr && target->array == array);
  });
  return written;
}

std::optional<Int> read_count(const std::string& text, Int low, Int high, const Position& at,
                              Diagnostics& diagnostics) {
  const Parsed<Int> parsed = parse_integer(text);
  const Int* value = std::get_if<Int>(&parsed);
  if (value != nullptr && *value >= low && *value <= high) return *value;
  diagnostics.add(at, "expected a whole number from " + std::to_string(low) + " to " + std::to_string(high) +
                          ", found '" + text + "'");
  return std::nullopt;
}

std::optional<std::vector<Int>> read_counts(const std::string& text, Int low, Int high, const Position& at,
                                            Diagnostics& diagnostics) {
  std::vector<Int> result;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, 'x');) {
    const auto count = read_count(part, low, high, at, diagnostics);
    if (!count) return std::nullopt;
    result.push_back(*count);
  }
  return result;
}

}  // namespace mansard
