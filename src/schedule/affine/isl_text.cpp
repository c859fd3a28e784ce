#include "schedule/affine/isl_text.hpp"

#include <fmt/format.h>

namespace mansard::isl_text {

std::string quasi(const Quasi& q) {
  std::string text = std::to_string(q.constant);
  for (const Term& t : q.terms) text += fmt::format(" + {}*s{}", t.coefficient, t.slot);
  for (const Floor& f : q.floors) text += fmt::format(" + {}*floor(({})/{})", f.coefficient, quasi(f.inner), f.divisor);
  return text;
}

std::string list(const std::vector<Quasi>& expressions) {
  std::string text;
  for (const Quasi& q : expressions) text += (text.empty() ? "(" : ", (") + quasi(q) + ")";
  return text;
}

std::string extreme(const char* function, const std::vector<Quasi>& bounds) {
  std::string text = "(" + quasi(bounds.back()) + ")";
  for (std::size_t i = bounds.size() - 1; i-- > 0;) text = fmt::format("{}({}, {})", function, quasi(bounds[i]), text);
  return text;
}

std::string conjunction(const Conjunction& conjunction) {
  std::string text = "(true";
  for (const Quasi& q : conjunction) text += " and " + quasi(q) + " >= 0";
  return text + ")";
}

std::string tuple(const AffineNests& nests, std::size_t unit) {
  std::string text;
  for (const Slot s : nests.units[unit].iterators) text += fmt::format("{}s{}", text.empty() ? "" : ", ", s);
  return fmt::format("U{}[{}]", unit, text);
}

std::string domain(const AffineNests& nests, std::size_t unit) {
  return tuple(nests, unit) + " : " + nests.units[unit].domain;
}

std::string map(const AffineNests& nests, std::size_t unit, const std::vector<Quasi>& to) {
  return fmt::format("{{ {} -> [{}] : {} }}", tuple(nests, unit), list(to), nests.units[unit].domain);
}

}  // namespace mansard::isl_text
