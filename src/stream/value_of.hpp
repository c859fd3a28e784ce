// The value of a quasi-affine expression where it has to be found often.
#pragma once

#include <span>

#include "workload/quasi.hpp"

namespace mansard {

/// q.at(environment), without a call where q is affine, as it nearly always is.
inline Int value_of(const Quasi& q, std::span<const Int> environment) {
  if (!q.floors.empty()) return q.at(environment);
  Int value = q.constant;
  for (const Term& t : q.terms) value += t.coefficient * environment[t.slot];
  return value;
}

}  // namespace mansard
