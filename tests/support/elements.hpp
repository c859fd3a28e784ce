// The accesses of a program one by one: what the batches of a walk mean.
#pragma once

#include <vector>

#include "stream/walker.hpp"

namespace mansard {

/// Appends the elements of a batch in program order.
inline void append_elements(const Batch& batch, std::vector<Element>& elements) {
  if (const auto* run = std::get_if<Run>(&batch)) {
    for (std::uint64_t n = 0; n < run->count; ++n) {
      for (std::size_t r = 0; r < run->refs.size(); ++r) {
        const StreamRef& ref = run->refs[r];
        const Int address = run->base[r] + static_cast<Int>(n) * run->stride[r];
        elements.push_back({static_cast<std::uint64_t>(address), ref.array, ref.bytes, ref.kind});
      }
    }
  } else if (const auto* gather = std::get_if<Gather>(&batch)) {
    for (std::uint64_t n = 0; n < gather->count; ++n) {
      for (std::size_t r = 0; r < gather->refs.size(); ++r) {
        const StreamRef& ref = gather->refs[r];
        elements.push_back({static_cast<std::uint64_t>(gather->address(r, n)), ref.array, ref.bytes, ref.kind});
      }
    }
  } else {
    const auto span = std::get<std::span<const Element>>(batch);
    elements.insert(elements.end(), span.begin(), span.end());
  }
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
