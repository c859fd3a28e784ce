// type(a: float) stores an array in another type; type(float) all arrays and scalars of floating-point type.
#include <algorithm>
#include <limits>

#include "schedule/step.hpp"

namespace mansard::steps {
namespace {

struct Name {
  const char* word;
  ElementType type;
};
constexpr Name names[] = {{"double", ElementType::f64}, {"float", ElementType::f32}, {"half", ElementType::f16},
                          {"long", ElementType::i64},   {"int", ElementType::i32},   {"short", ElementType::i16},
                          {"char", ElementType::i8}};

std::optional<ElementType> read_type(const Argument& argument, Diagnostics& diagnostics) {
  std::vector<std::string> words;
  for (const Name& name : names) {
    if (argument.value == name.word) return name.type;
    words.emplace_back(name.word);
  }
  diagnostics.add({argument.value_at,
                   {},
                   "unknown type '" + argument.value + "'; known are " + join(words),
                   suggest(argument.value, words)});
  return std::nullopt;
}

/// Index values must fit the type they are stored in.
bool holds(ElementType type, const std::vector<std::int32_t>& data) {
  const std::uint32_t bits = 8 * bytes_of(type);
  if (bits >= 32 || data.empty()) return true;
  const std::int32_t most = (1 << (bits - 1)) - 1;
  const auto [low, high] = std::ranges::minmax(data);
  return low >= -most - 1 && high <= most;
}

void retype_all(Kernel& kernel, ElementType type, const Argument& argument, Diagnostics& diagnostics) {
  if (!is_float(type)) {
    diagnostics.add(argument.value_at, "name the array to store as integers, as in type(col: short)");
    return;
  }
  for (Array& a : kernel.arrays) a.type = is_float(a.type) ? type : a.type;
  for (Scalar& s : kernel.scalars) s.type = is_float(s.type) ? type : s.type;
}

void apply(Scheduling& scheduling, const StepCall& call) {
  Kernel& kernel = scheduling.kernel();
  Diagnostics& diagnostics = scheduling.diagnostics;
  if (call.arguments.empty()) diagnostics.add(call.at, "type needs a type, as in type(float) or type(a: float)");
  for (const Argument& argument : call.arguments) {
    const auto type = read_type(argument, diagnostics);
    if (!type) continue;
    if (argument.key.empty()) {
      retype_all(kernel, *type, argument, diagnostics);
      continue;
    }
    Array* array = find_array(kernel, argument.key, argument.at, diagnostics);
    if (array == nullptr) continue;
    if (is_float(array->type) != is_float(*type)) {
      diagnostics.add(argument.value_at, "'" + array->name + "' holds " + c_name(array->type) +
                                             "; a floating-point array stays one, and so does an integer array");
    } else if (array->data != nullptr && !holds(*type, *array->data)) {
      diagnostics.add(argument.value_at, "the values of '" + array->name + "' do not fit into " + c_name(*type));
    } else {
      array->type = *type;
    }
  }
}

}  // namespace

extern const ScheduleStep type;
const ScheduleStep type{"type", "type(a: float)", "changes the element type of an array, or of all", apply};

}  // namespace mansard::steps
