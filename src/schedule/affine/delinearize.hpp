// Linearised subscripts taken apart: a[j*N+i] is an element (j, i), which isl handles much better than j*N+i.
// V. Maslov, "Delinearization: an efficient way to break multiloop dependence equations", PLDI 1992.
#pragma once

#include <map>
#include <vector>

#include "workload/kernel.hpp"

namespace mansard {

class Delinearization {
 public:
  explicit Delinearization(const Kernel& kernel);

  /// Two accesses of an array touch the same element if and only if these are equal. An array of one dimension is taken
  /// apart if all of its accesses can be: by the same strides, and with all parts but the first within their stride.
  [[nodiscard]] std::vector<Quasi> subscripts(const Access& access) const;

 private:
  std::map<ArrayId, std::vector<Int>> strides_;  ///< largest first, each a multiple of the next, the last is 1
};

}  // namespace mansard
