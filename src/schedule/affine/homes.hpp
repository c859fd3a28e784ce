// Scalars that live through loops but belong to one iteration of the loops around: `double s = 0; for …; y[i] = s;`.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "schedule/affine/affine.hpp"

namespace mansard {

/// For each scalar declared inside a loop that more than one place in these nodes uses, with loops between, and that
/// is set before anything reads it: how many loops are around all of its uses. Iterations of these see no value of
/// another.
std::map<ScalarId, std::size_t> homes(const Kernel& kernel, const std::vector<Node>& nodes);

/// One register holds the values of all iterations of its home, one after the other. Says which scalar would have to
/// hold several at once if the units ran in the order of these roots; copies that `unroll_jam` makes have their own.
std::optional<std::string> torn_scalar(const Kernel& kernel, const AffineNests& nests, const std::vector<Branch>& roots,
                                       const Position& at);

}  // namespace mansard
