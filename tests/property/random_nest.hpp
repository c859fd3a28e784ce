// Random loop nests for the property tests of the engine: stencil-like, blocked, with conditions, floors and odd
// strides.
#pragma once

#include <iosfwd>

#include "stream/program.hpp"

namespace mansard::property {

Program random_program();  ///< inside a rapidcheck property
std::ostream& operator<<(std::ostream& out, const Program& program);

}  // namespace mansard::property
