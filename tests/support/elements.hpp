// The accesses of a program one by one: what the batches of a walk mean.
#pragma once

#include <vector>

#include "stream/walker.hpp"

namespace mansard {

/// Appends the elements of a batch in program order.
inline void append_elements(const Batch& batch, std::vector<Element>& elements) {
  visit_elements(batch, [&](const Element& e) { elements.push_back(e); });
}

inline std::vector<Element> elements_of(const Program& program) {
  std::vector<Element> elements;
  Walker walker(program);
  for (const Nest& nest : program.nests) {
    walker.walk(nest, [&](const Batch& batch) { append_elements(batch, elements); });
  }
  return elements;
}

}  // namespace mansard
