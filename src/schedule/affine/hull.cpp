#include "schedule/affine/hull.hpp"

#include <fmt/format.h>

#include "schedule/affine/isl.hpp"
#include "schedule/affine/isl_text.hpp"

namespace mansard {
namespace {

Int number(__isl_take isl_val* value) { return isl_val_get_num_si(isl::manage(value).get()); }

/// The expression times its denominator.
Quasi numerator(const isl::aff& aff, const std::vector<Slot>& slots) {
  isl_aff* a = aff.get();
  const Int denominator = number(isl_aff_get_denominator_val(a));
  const auto scaled = [denominator](__isl_take isl_val* value) {
    return number(isl_val_mul_ui(value, static_cast<unsigned long>(denominator)));
  };
  Quasi result(scaled(isl_aff_get_constant_val(a)));
  for (std::size_t s = 0; s < slots.size(); ++s)
    result += Quasi::of_slot(slots[s]) * scaled(isl_aff_get_coefficient_val(a, isl_dim_in, static_cast<int>(s)));
  const isl_size divs = isl_aff_dim(a, isl_dim_div);
  for (int d = 0; d < divs; ++d) {
    const Int factor = scaled(isl_aff_get_coefficient_val(a, isl_dim_div, d));
    if (factor == 0) continue;
    const isl::aff inner = isl::manage(isl_aff_get_div(a, d));
    result += floor_div(numerator(inner, slots), number(isl_aff_get_denominator_val(inner.get()))) * factor;
  }
  return result;
}

std::string names(const std::vector<Slot>& slots) {
  std::string text;
  for (const Slot s : slots) text += fmt::format("{}s{}", text.empty() ? "" : ", ", s);
  return text;
}

}  // namespace

std::optional<Box> box_hull(const std::vector<Touched>& touched, const std::vector<Slot>& outer, const Position& at) {
  return with_isl(at, [&](const isl::ctx& context) -> std::optional<Box> {
    isl::map all;
    for (const Touched& t : touched) {
      std::string elements;
      std::string equal = t.constraints;
      for (std::size_t d = 0; d < t.subscripts.size(); ++d) {
        elements += fmt::format("{}a{}", d == 0 ? "" : ", ", d);
        equal += fmt::format("{}a{} = {}", equal.empty() ? "" : " and ", d, isl_text::quasi(t.subscripts[d]));
      }
      const std::string exists = t.inner.empty() ? equal : fmt::format("exists {} : {}", names(t.inner), equal);
      const isl::map one(context, fmt::format("{{ [{}] -> [{}] : {} }}", names(outer), elements, exists));
      all = all.is_null() ? one : all.unite(one);
    }
    const isl::fixed_box box = all.range_simple_fixed_box_hull();
    if (!box.is_valid()) return std::nullopt;
    Box result;
    for (unsigned d = 0; d < box.size().size(); ++d) {
      result.offset.push_back(numerator(box.offset().at(static_cast<int>(d)), outer));
      result.size.push_back(isl_val_get_num_si(box.size().at(static_cast<int>(d)).get()));
    }
    return result;
  });
}

}  // namespace mansard
