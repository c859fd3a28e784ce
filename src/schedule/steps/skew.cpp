// skew(i: 2*t): iteration (t, i) gets the place (t, i + 2*t), so that dependences that point backwards in i point
// forwards and the loops may be tiled together. M. Wolfe, "Loop skewing: the wavefront method revisited", IJPP 1986.
#include <fmt/format.h>

#include <algorithm>

#include "schedule/step.hpp"

namespace mansard::steps {
namespace {

struct Part {
  Int factor = 1;
  std::string loop;
};

/// "2*t", "t+j", "t-2*j": a sum of loops with whole factors.
std::optional<std::vector<Part>> read_sum(const Argument& argument, Diagnostics& diagnostics) {
  std::vector<Part> parts;
  std::string text = argument.value;
  std::erase(text, ' ');
  const auto wrong = [&]() -> std::optional<std::vector<Part>> {
    diagnostics.add(argument.value_at,
                    "expected a sum of loops with whole factors, as in skew(i: 2*t), found '" + argument.value + "'");
    return std::nullopt;
  };
  for (std::size_t at = 0; at < text.size();) {
    const Int sign = text[at] == '-' ? -1 : 1;
    if (text[at] == '-' || text[at] == '+') ++at;
    const std::size_t end = std::min(text.find_first_of("+-", at), text.size());
    const std::string term = text.substr(at, end - at);
    const std::size_t times = term.find('*');
    Part part{sign, times == std::string::npos ? term : term.substr(times + 1)};
    if (times != std::string::npos) {
      constexpr Int largest = 1 << 20;
      const auto parsed = parse_integer(term.substr(0, times));
      const Int* factor = std::get_if<Int>(&parsed);
      if (factor == nullptr || *factor < 0 || *factor > largest) return wrong();
      part.factor *= *factor;
    }
    if (part.loop.empty()) return wrong();
    parts.push_back(std::move(part));
    at = end;
  }
  return parts.empty() ? wrong() : parts;
}

/// The sum as a value of every unit below the loop; a mistake if a unit is outside one of the loops.
bool add_sum(Scheduling& scheduling, Branch& root, Branch& loop, const std::vector<Part>& sum,
             const Argument& argument) {
  for (const Part& part : sum) {
    const std::vector<Branch*> others = loops_named(root, scheduling.nests(), part.loop);
    for (auto& [unit, value] : loop.value) {
      const auto other = std::ranges::find_if(others, [&, u = unit](const Branch* b) { return b->value.contains(u); });
      if (other == others.end()) {
        scheduling.diagnostics.add(argument.value_at, fmt::format("no loop '{}' is around {}", part.loop,
                                                                  scheduling.nests().units[unit].label));
        return false;
      }
      if (*other == &loop) {
        scheduling.diagnostics.add(argument.value_at, "a loop cannot be skewed by itself");
        return false;
      }
      value += (*other)->value.at(unit) * part.factor;
    }
  }
  return true;
}

void apply(Scheduling& scheduling, const StepCall& call) {
  if (call.arguments.empty()) scheduling.diagnostics.add(call.at, "skew needs a loop and a factor, as in skew(i: 2*t)");
  for (const Argument& argument : call.arguments) {
    if (argument.key.empty()) {
      scheduling.diagnostics.add(argument.at, "expected 'loop: factor*loop', as in skew(i: 2*t)");
      continue;
    }
    const auto sum = read_sum(argument, scheduling.diagnostics);
    if (!sum) continue;
    for (const std::size_t r : scheduling.roots_with(argument.key, argument.at)) {
      Branch root = scheduling.nests().roots[r];
      bool done = true;
      for (Branch* loop : loops_named(root, scheduling.nests(), argument.key))
        done = done && add_sum(scheduling, root, *loop, *sum, argument);
      if (done) scheduling.replace_roots(r, 1, {std::move(root)}, call);
    }
  }
}

}  // namespace

extern const ScheduleStep skew;
const ScheduleStep skew{"skew", "skew(i: 2*t)", "shifts a loop by a multiple of another, so that both can be tiled",
                        apply};

}  // namespace mansard::steps
