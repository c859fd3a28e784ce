// Quasi-affine integer expressions over slots: constant + sum(coefficient * slot) + sum(coefficient * floor(inner /
// d)). A slot is a loop variable or an index read from a table; its value lives in an environment indexed by the slot.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace mansard {

using Int = std::int64_t;
using Slot = std::uint16_t;

struct Term {
  Slot slot;
  Int coefficient;
  friend bool operator==(const Term&, const Term&) = default;
};

struct Floor;

struct Quasi {
  Int constant = 0;
  std::vector<Term> terms;    ///< sorted by slot, no zero coefficients, no slot twice
  std::vector<Floor> floors;  ///< in order of appearance; equal inner and divisor are merged

  // Defined below Floor: clang instantiates a vector's destructor in C++20 where its owner is constructed.
  inline Quasi();
  inline explicit Quasi(Int c);
  inline Quasi(const Quasi&);
  inline Quasi(Quasi&&) noexcept;
  inline Quasi& operator=(const Quasi&);
  inline Quasi& operator=(Quasi&&) noexcept;
  inline ~Quasi();
  static Quasi of_slot(Slot s) {
    Quasi q;
    q.terms.push_back({s, 1});
    return q;
  }

  [[nodiscard]] Int at(std::span<const Int> environment) const;  ///< value; floor rounds towards minus infinity
  [[nodiscard]] bool is_constant() const { return terms.empty() && floors.empty(); }
  [[nodiscard]] bool is_affine() const { return floors.empty(); }
  [[nodiscard]] bool uses(Slot s) const;                          ///< in a term or inside a floor
  [[nodiscard]] Int coefficient(Slot s) const;                    ///< of the plain term; 0 if absent
  [[nodiscard]] Quasi substitute(Slot s, const Quasi& by) const;  ///< s replaced everywhere

  Quasi& operator+=(const Quasi& other);
  Quasi& operator*=(Int factor);
  friend Quasi operator+(Quasi a, const Quasi& b) { return a += b; }
  friend Quasi operator-(Quasi a, Quasi b) { return a += (b *= -1); }
  friend Quasi operator*(Quasi a, Int factor) { return a *= factor; }
  friend bool operator==(const Quasi&, const Quasi&);
};

struct Floor {
  Quasi inner;
  Int divisor;  ///< > 0
  Int coefficient;
};
bool operator==(const Floor& a, const Floor& b);

Quasi::Quasi() = default;
Quasi::Quasi(Int c) : constant(c) {}
Quasi::Quasi(const Quasi&) = default;
Quasi::Quasi(Quasi&&) noexcept = default;
Quasi& Quasi::operator=(const Quasi&) = default;
Quasi& Quasi::operator=(Quasi&&) noexcept = default;
Quasi::~Quasi() = default;

Quasi floor_div(const Quasi& numerator, Int divisor);  ///< divisor > 0; exact division of constants is folded
Quasi modulo(const Quasi& numerator, Int divisor);     ///< numerator - divisor*floor(numerator/divisor)
Int floor_div(Int numerator, Int divisor);

/// Does q use any of these slots?
template <class Slots>
bool uses_any(const Quasi& q, const Slots& slots) {
  return std::ranges::any_of(slots, [&](Slot s) { return q.uses(s); });
}

/// A closed range of values; arithmetic saturates, so "too large" stays too large.
struct Interval {
  Int low, high;
};
/// Range of q when slot s is within ranges[s]; exact for one slot, else conservative.
Interval range(const Quasi& q, std::span<const Interval> ranges);

}  // namespace mansard
