// Affine nests back to loops, through isl's code generation.
#pragma once

#include "schedule/affine/affine.hpp"

namespace mansard {

/// The loops of one root. New slots are added to the kernel. Loops that `unroll` marks are written out.
std::vector<Node> generate(Kernel& kernel, const AffineNests& nests, const Branch& root);

}  // namespace mansard
