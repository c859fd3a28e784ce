// Random machines and random access streams, of which the engine and its twin must say the same.
#pragma once

#include <iosfwd>
#include <vector>

#include "cache/geometry.hpp"
#include "property/draw.hpp"
#include "stream/program.hpp"

namespace mansard::property {

/// An affine run that owns what a Run points to.
struct OwnedRun {
  std::vector<StreamRef> refs;
  std::vector<Int> base, stride;
  std::uint64_t count = 0;
  [[nodiscard]] Run view() const { return {refs, base, stride, count}; }
};

/// Runs and gathers in program order: step n is runs[n], then gathers[n].
struct Stream {
  std::vector<OwnedRun> runs;
  std::vector<std::vector<Element>> gathers;
};

struct Case {
  Geometry geometry;
  std::vector<Region> regions;
  Stream stream;
};

Geometry random_geometry(Draw& draw);
/// Write-back, write-allocate, mostly NINE: every short cut applies.
Geometry random_plain_geometry(Draw& draw);
Case random_case(Draw& draw);
std::vector<Element> elements_of(const Stream& stream);
std::ostream& operator<<(std::ostream& out, const Case& c);
std::ostream& operator<<(std::ostream& out, const Counters& counters);

}  // namespace mansard::property
