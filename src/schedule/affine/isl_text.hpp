// Expressions and relations as isl text. Only names made here reach isl: units U0, U1 …, slots s0, s1 …
#pragma once

#include <string>
#include <vector>

#include "schedule/affine/affine.hpp"

namespace mansard::isl_text {

std::string quasi(const Quasi& q);                                            ///< "2*s1+floor((s0+1)/2)-3"
std::string list(const std::vector<Quasi>& expressions);                      ///< "(s0), (s1-1)"
std::string extreme(const char* function, const std::vector<Quasi>& bounds);  ///< "max(a, b)"
std::string conjunction(const Conjunction& conjunction);                      ///< "(a >= 0 and b >= 0)"
std::string tuple(const AffineNests& nests, std::size_t unit);                ///< "U2[s0, s1]"
std::string domain(const AffineNests& nests, std::size_t unit);               ///< "U2[s0, s1] : …", without braces
/// "{ U2[s0, s1] -> [a, b] : … }"
std::string map(const AffineNests& nests, std::size_t unit, const std::vector<Quasi>& to);

}  // namespace mansard::isl_text
