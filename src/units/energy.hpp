// Energy, and what a byte moved or a flop costs of it.
#pragma once

#include "units/quantity.hpp"

namespace mansard {

struct Joules {
  double value = 0;
  constexpr Joules& operator+=(Joules other) { return value += other.value, *this; }
};

/// Energy for each unit of `Amount`: energy per byte times bytes is energy.
template <class Amount>
struct JoulesPer {
  double value = 0;
  friend constexpr Joules operator*(JoulesPer cost, Amount amount) { return {cost.value * amount.value}; }
};
using JoulesPerByte = JoulesPer<Bytes>;
using JoulesPerFlop = JoulesPer<Flops>;

}  // namespace mansard
