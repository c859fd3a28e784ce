// A simulation in parts: the classes of sets (cache/share.hpp) are shared out to threads, or some of them stand for
// all.
#pragma once

#include <cstdint>
#include <vector>

#include "cache/geometry.hpp"
#include "study/simulate.hpp"

namespace mansard {

/// Classes that the sets of all levels fall into: the largest power of two that divides every number of sets, at
/// most 64.
std::uint64_t set_classes(const Geometry& geometry);

/// One share a thread; fewer where there are not as many classes.
std::vector<Share> shares_for_threads(const Geometry& geometry, unsigned threads);

/// One class in every `one_in`, chosen by a fixed hash. Throws InputError where that leaves fewer than two classes.
Share share_for_sample(const Geometry& geometry, unsigned one_in);

/// What the whole simulation counts, of the parts that the shares counted. Requests are the same in every part.
Simulation joined(std::vector<Simulation> parts);

/// Scales the counts of a sample up to all sets. The requests are exact already.
void scale_up(Simulation& simulation, unsigned one_in);

/// Of each boundary behind a cache: (largest - smallest) / mean of the bytes in the samples; 0 if there are none.
std::vector<double> spread_between_samples(const Simulation& simulation);

}  // namespace mansard
