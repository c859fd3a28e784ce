// Kernel to program: placement, register rules, hoisting. After this only addresses are left.
#pragma once

#include "stream/program.hpp"

namespace mansard {

struct LowerOptions {
  bool registers = true;               ///< false (--registers none): every access of the text goes to memory
  bool worst_branches = false;         ///< true: data-dependent branches run both ways
  std::uint64_t gap = 4096 + 21 * 64;  ///< bytes by which each array is staggered against the one before
  std::uint64_t seed = 1;              ///< of data-dependent branches
};

/// Every top-level loop becomes one nest; straight-line code between loops belongs to the loop after it.
Program lower(const Kernel& kernel, const LowerOptions& options);

}  // namespace mansard
