// Quantities as types: a value carries its dimension (powers of byte, flop, cycle, second), so that bytes and cycles do
// not add, while bytes / (bytes/cycle) is a number of cycles. Counters inside the simulator are plain uint64_t and
// become quantities once, in the report.
#pragma once

#include <compare>

namespace mansard {

template <int Byte, int Flop, int Cycle, int Second>
struct Quantity {
  double value = 0;

  constexpr Quantity() = default;
  constexpr explicit Quantity(double v) : value(v) {}

  constexpr Quantity& operator+=(Quantity other) { return value += other.value, *this; }
  constexpr Quantity& operator-=(Quantity other) { return value -= other.value, *this; }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value + b.value); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value - b.value); }
  friend constexpr Quantity operator*(Quantity a, double s) { return Quantity(a.value * s); }
  friend constexpr Quantity operator*(double s, Quantity a) { return Quantity(s * a.value); }
  friend constexpr Quantity operator/(Quantity a, double s) { return Quantity(a.value / s); }
  friend constexpr auto operator<=>(const Quantity&, const Quantity&) = default;
};

template <int B, int F, int C, int S, int B2, int F2, int C2, int S2>
constexpr auto operator*(Quantity<B, F, C, S> a, Quantity<B2, F2, C2, S2> b) {
  if constexpr (B + B2 == 0 && F + F2 == 0 && C + C2 == 0 && S + S2 == 0) {
    return a.value * b.value;
  } else {
    return Quantity<B + B2, F + F2, C + C2, S + S2>(a.value * b.value);
  }
}

template <int B, int F, int C, int S, int B2, int F2, int C2, int S2>
constexpr auto operator/(Quantity<B, F, C, S> a, Quantity<B2, F2, C2, S2> b) {
  if constexpr (B == B2 && F == F2 && C == C2 && S == S2) {
    return a.value / b.value;
  } else {
    return Quantity<B - B2, F - F2, C - C2, S - S2>(a.value / b.value);
  }
}

using Bytes = Quantity<1, 0, 0, 0>;
using Flops = Quantity<0, 1, 0, 0>;
using Cycles = Quantity<0, 0, 1, 0>;
using Seconds = Quantity<0, 0, 0, 1>;
using Hertz = Quantity<0, 0, 1, -1>;  // clock: cycles per second
using BytesPerSecond = Quantity<1, 0, 0, -1>;
using BytesPerCycle = Quantity<1, 0, -1, 0>;
using FlopsPerSecond = Quantity<0, 1, 0, -1>;
using FlopsPerCycle = Quantity<0, 1, -1, 0>;
using Intensity = Quantity<-1, 1, 0, 0>;  // flop per byte

}  // namespace mansard
