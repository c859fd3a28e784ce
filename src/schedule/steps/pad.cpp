// pad(a: 8) adds unused elements to the fastest extent; pad(a: 1x0x8) to each extent, slowest first.
#include "schedule/step.hpp"

namespace mansard::steps {
namespace {

constexpr Int most_padding = Int{1} << 32U;

void apply(Scheduling& scheduling, const StepCall& call) {
  Kernel& kernel = scheduling.kernel();
  Diagnostics& diagnostics = scheduling.diagnostics;
  if (call.arguments.empty()) diagnostics.add(call.at, "pad needs an array and a number of elements, as in pad(a: 8)");
  for (const Argument& argument : call.arguments) {
    if (argument.key.empty()) {
      diagnostics.add(argument.at, "expected 'array: elements', as in pad(a: 8)");
      continue;
    }
    Array* array = find_array(kernel, argument.key, argument.at, diagnostics);
    auto padding =
        array == nullptr ? std::nullopt : read_counts(argument.value, 0, most_padding, argument.value_at, diagnostics);
    if (!padding) continue;
    const std::size_t dimensions = array->extents.size();
    if (padding->size() == 1 && dimensions > 0) padding->insert(padding->begin(), dimensions - 1, 0);
    if (dimensions == 0 || padding->size() != dimensions) {
      diagnostics.add(argument.value_at, "'" + array->name + "' has " + std::to_string(dimensions) +
                                             " dimensions; give one number, or as many joined by x");
      continue;
    }
    array->padding = *padding;
  }
}

}  // namespace

extern const ScheduleStep pad;
const ScheduleStep pad{"pad", "pad(a: 8)", "adds unused elements to an array's extents", apply};

}  // namespace mansard::steps
