// Which reference of the text fetches the lines of an array: `a[k+1][j][i]` and not only `a`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cache/geometry.hpp"
#include "stream/program.hpp"
#include "workload/kernel.hpp"

namespace mansard {

struct ReferenceFills {
  std::string nest, name;            ///< "S1", "a[k+1][j][i]"
  std::string kind;                  ///< "load", "store"
  std::vector<std::uint64_t> bytes;  ///< fetched for it over each boundary behind a cache, from the core outward
};

/// In the steady state, or from empty caches if `cold`, by the plain twin of the engine, access by access; none where a
/// walk has more accesses than that is quick for.
std::optional<std::vector<ReferenceFills>> fills_by_reference(const Kernel& kernel, const Program& program,
                                                              const Geometry& geometry, bool cold);

/// The subscripts that an address most likely stands for, as C: "a[k+1][j][i]".
std::string reference_text(const Kernel& kernel, const Program& program, const StreamRef& ref);

}  // namespace mansard
