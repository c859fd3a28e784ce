// How many accesses a program will make, before it is run: for saying how long a simulation will take.
#pragma once

#include "stream/program.hpp"

namespace mansard {

/// Accesses of one walk over all nests. An estimate: loops whose bounds vary are sampled at their first, middle and
/// last iteration (Simpson's rule, exact for bounds that are affine in two enclosing loops), conditions count as true.
double estimate_accesses(const Program& program);

/// Look-ups that the engine will need for it, fast-forward and reduced runs considered: the right order of magnitude.
double estimate_lookups(const Program& program, std::uint32_t line_bytes);

}  // namespace mansard
