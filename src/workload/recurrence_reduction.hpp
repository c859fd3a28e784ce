// Reductions: accumulations that a compiler may split into independent partial results.
#pragma once

#include <functional>
#include <optional>

#include "workload/kernel.hpp"

namespace mansard {

enum class Reduction : std::uint8_t { sum, product, minimum, maximum };

/// How often a leaf (scalar or element) for which `is_it` holds occurs in `value`.
std::size_t occurrences(const Value& value, const std::function<bool(const Value&)>& is_it);

/// The kind of accumulation if `statement` updates its target once by one operator, s = s + e, s += e, s = fma(a, b,
/// s), s = max(s, e) …, where e does not use the target. `is_target` tells whether a leaf is the target.
std::optional<Reduction> reduction_of(const Statement& statement, const std::function<bool(const Value&)>& is_target);

}  // namespace mansard
