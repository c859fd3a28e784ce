#include "workload/quasi.hpp"

#include <algorithm>
#include <limits>

namespace mansard {
namespace {

constexpr Int most = std::numeric_limits<Int>::max();
constexpr Int least = std::numeric_limits<Int>::min();

// Symbolic arithmetic saturates: what is too large stays too large, so the range checks of the elaboration see it.
Int add(Int a, Int b) {
  Int sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? (a > 0 ? most : least) : sum;
}
Int multiply(Int a, Int b) {
  Int product = 0;
  return __builtin_mul_overflow(a, b, &product) ? ((a > 0) == (b > 0) ? most : least) : product;
}

}  // namespace

Int floor_div(Int numerator, Int divisor) {
  const Int quotient = numerator / divisor;
  return quotient - ((numerator % divisor != 0 && (numerator < 0) != (divisor < 0)) ? 1 : 0);
}

Int Quasi::at(std::span<const Int> environment) const {
  Int value = constant;
  for (const Term& t : terms) value += t.coefficient * environment[t.slot];
  for (const Floor& f : floors) value += f.coefficient * floor_div(f.inner.at(environment), f.divisor);
  return value;
}

bool Quasi::uses(Slot s) const {
  return std::ranges::any_of(terms, [s](const Term& t) { return t.slot == s; }) ||
         std::ranges::any_of(floors, [s](const Floor& f) { return f.inner.uses(s); });
}

Int Quasi::coefficient(Slot s) const {
  const auto term = std::ranges::find(terms, s, &Term::slot);
  return term == terms.end() ? 0 : term->coefficient;
}

Quasi Quasi::substitute(Slot s, const Quasi& by) const {
  Quasi result(constant);
  for (const Term& t : terms) result += (t.slot == s ? by : of_slot(t.slot)) * t.coefficient;
  for (const Floor& f : floors) result += floor_div(f.inner.substitute(s, by), f.divisor) * f.coefficient;
  return result;
}

Quasi& Quasi::operator+=(const Quasi& other) {
  constant = add(constant, other.constant);
  for (const Term& t : other.terms) {
    auto place = std::ranges::lower_bound(terms, t.slot, {}, &Term::slot);
    if (place == terms.end() || place->slot != t.slot) {
      terms.insert(place, t);
    } else if ((place->coefficient = add(place->coefficient, t.coefficient)) == 0) {
      terms.erase(place);
    }
  }
  for (const Floor& f : other.floors) {
    auto same = std::ranges::find_if(
        floors, [&](const Floor& mine) { return mine.divisor == f.divisor && mine.inner == f.inner; });
    if (same == floors.end()) {
      floors.push_back(f);
    } else if ((same->coefficient = add(same->coefficient, f.coefficient)) == 0) {
      floors.erase(same);
    }
  }
  return *this;
}

Quasi& Quasi::operator*=(Int factor) {
  if (factor == 0) return *this = Quasi{};
  constant = multiply(constant, factor);
  for (Term& t : terms) t.coefficient = multiply(t.coefficient, factor);
  for (Floor& f : floors) f.coefficient = multiply(f.coefficient, factor);
  return *this;
}

bool operator==(const Floor& a, const Floor& b) {
  return a.divisor == b.divisor && a.coefficient == b.coefficient && a.inner == b.inner;
}

bool operator==(const Quasi& a, const Quasi& b) {
  return a.constant == b.constant && a.terms == b.terms && a.floors.size() == b.floors.size() &&
         std::ranges::all_of(a.floors,
                             [&](const Floor& f) { return std::ranges::find(b.floors, f) != b.floors.end(); });
}

Quasi floor_div(const Quasi& numerator, Int divisor) {
  if (divisor == 1) return numerator;
  // What divides evenly leaves the floor: floor((d*q + r) / d) = q + floor(r / d).
  Quasi whole;
  Quasi rest;
  whole.constant = floor_div(numerator.constant, divisor);
  rest.constant = numerator.constant - whole.constant * divisor;
  for (const Term& t : numerator.terms) {
    const bool even = t.coefficient % divisor == 0;
    (even ? whole : rest).terms.push_back({t.slot, even ? t.coefficient / divisor : t.coefficient});
  }
  for (const Floor& f : numerator.floors) {
    const bool even = f.coefficient % divisor == 0;
    (even ? whole : rest).floors.push_back({f.inner, f.divisor, even ? f.coefficient / divisor : f.coefficient});
  }
  if (!rest.is_constant()) whole.floors.push_back({rest, divisor, 1});
  return whole;
}

Quasi modulo(const Quasi& numerator, Int divisor) { return numerator - floor_div(numerator, divisor) * divisor; }

Interval range(const Quasi& q, std::span<const Interval> ranges) {
  Interval total{q.constant, q.constant};
  const auto widen = [&total](Interval value, Int coefficient) {
    const Int a = multiply(coefficient, value.low);
    const Int b = multiply(coefficient, value.high);
    total = {add(total.low, std::min(a, b)), add(total.high, std::max(a, b))};
  };
  for (const Term& t : q.terms) widen(ranges[t.slot], t.coefficient);
  for (const Floor& f : q.floors) {
    const Interval inner = range(f.inner, ranges);
    widen({floor_div(inner.low, f.divisor), floor_div(inner.high, f.divisor)}, f.coefficient);
  }
  return total;
}

}  // namespace mansard
