#include "units/large_pages.hpp"

#include <sys/mman.h>

#include <cstdint>

namespace mansard {

void prefer_large_pages(void* start, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(start);
  const std::size_t skipped = (large_page - address % large_page) % large_page;
  if (bytes < skipped + large_page) return;
  const std::size_t whole = (bytes - skipped) / large_page * large_page;
  madvise(static_cast<unsigned char*>(start) + skipped, whole, MADV_HUGEPAGE);  // if refused, small pages are as right
}

}  // namespace mansard
