// layout(f: 3 0 1 2): the order of an array's indices in memory, slowest first, by their number in the declaration.
// f[Z][Y][X][19] (array of structures) becomes a structure of arrays so.
#include <algorithm>
#include <sstream>

#include "schedule/step.hpp"

namespace mansard::steps {
namespace {

void apply(Scheduling& scheduling, const StepCall& call) {
  Kernel& kernel = scheduling.kernel();
  Diagnostics& diagnostics = scheduling.diagnostics;
  if (call.arguments.empty()) diagnostics.add(call.at, "layout needs an array and an order, as in layout(f: 3 0 1 2)");
  for (const Argument& argument : call.arguments) {
    if (argument.key.empty()) {
      diagnostics.add(argument.at, "expected 'array: order', as in layout(f: 3 0 1 2)");
      continue;
    }
    Array* array = find_array(kernel, argument.key, argument.at, diagnostics);
    if (array == nullptr) continue;
    const std::size_t dimensions = array->extents.size();
    std::vector<std::uint8_t> order;
    std::istringstream numbers(argument.value);
    for (std::string number; numbers >> number;) {
      const bool digit = number.size() == 1 && number[0] >= '0' && number[0] <= '9';
      order.push_back(digit ? static_cast<std::uint8_t>(number[0] - '0') : std::uint8_t{255});
    }
    std::vector<std::uint8_t> sorted = order;
    std::ranges::sort(sorted);
    bool permutation = order.size() == dimensions;
    for (std::size_t d = 0; permutation && d < dimensions; ++d) permutation = sorted[d] == d;
    if (!permutation) {
      diagnostics.add(argument.value_at, "the order of '" + array->name + "' must name each of its " +
                                             std::to_string(dimensions) + " dimensions once, counted from 0, found '" +
                                             argument.value + "'");
      continue;
    }
    array->order = order;
  }
}

}  // namespace

extern const ScheduleStep layout;
const ScheduleStep layout{"layout", "layout(f: 3 0 1 2)", "orders an array's indices in memory, slowest first", apply};

}  // namespace mansard::steps
