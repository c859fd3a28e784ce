// Which references of a nest follow one another over the same array, and how far apart: the raw material of layer
// conditions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stream/program.hpp"

namespace mansard {

/// All references at one offset of a walk.
struct Touch {
  Int offset = 0;  ///< bytes from the array's start, the loop variables' part left out
  bool loads = false, stores = false;
};

/// References that walk one array together: equal coefficients of the loop variables, different offsets.
struct Walk {
  std::string array;
  double stride = 0;           ///< bytes of new lines per iteration: the walk's stride, at most a line
  bool nontemporal = false;    ///< a walk of its own, which takes no room in the caches
  std::vector<Touch> touches;  ///< in the order in which they reach an element
  std::vector<double> gaps;  ///< iterations from touch n to touch n + 1, after the last one to the walk's return to the
                             ///< same element; infinity if it never does
};

/// The walks of an affine nest around one loop body.
struct NestReuse {
  std::string why_not;        ///< what keeps closed forms from applying; empty where they apply
  std::uint32_t updates = 0;  ///< per iteration
  std::vector<Walk> walks;    ///< in the order of the arrays
};

/// Applies to one perfect nest with constant bounds whose references are affine and walk their arrays in the order of
/// memory: from the outermost loop inward they move by ever fewer bytes. `repeated`: the nest runs again and again
/// (steady state), so that an array that fits is found again.
NestReuse reuse_of(const Nest& nest, const std::vector<Region>& regions, std::uint32_t line_bytes, bool repeated);

}  // namespace mansard
