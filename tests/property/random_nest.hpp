// Random loop nests for the engine and its twin: stencil-like, blocked, with conditions, floors, odd strides, and index
// reads that decide on addresses and bounds.
#pragma once

#include <iosfwd>

#include "cache/geometry.hpp"
#include "property/draw.hpp"
#include "stream/program.hpp"

namespace mansard::property {

/// The geometry decides on nothing but strides at which lines meet in one set.
Program random_program(Draw& draw, const Geometry& geometry);
std::ostream& operator<<(std::ostream& out, const Program& program);

}  // namespace mansard::property
