// Memory in large pages, where the operating system has them.
#pragma once

#include <cstddef>
#include <vector>

namespace mansard {

inline constexpr std::size_t large_page = std::size_t{1} << 21U;  ///< bytes

/// A hint for memory that will be used throughout: fewer and longer pages are faster to get and to look up. Only whole
/// large pages within it are asked for.
void prefer_large_pages(void* start, std::size_t bytes);

/// Room for `size` elements in large pages; nothing is in it yet.
template <class T>
std::vector<T> roomy_vector(std::size_t size) {
  std::vector<T> vector;
  vector.reserve(size);
  prefer_large_pages(vector.data(), size * sizeof(T));
  return vector;
}

}  // namespace mansard
