#include "cache/lazy_array.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <new>

#include "units/large_pages.hpp"

namespace mansard {
namespace {

constexpr std::size_t worth_a_large_page = large_page / 8;  // bytes

}  // namespace

void ZeroedMemory::Release::operator()(void* p) const {
  if (mapped == 0) {
    std::free(p);
  } else {
    munmap(p, mapped);
  }
}

ZeroedMemory::ZeroedMemory(std::size_t bytes) {
  if (bytes < worth_a_large_page) {
    memory_ = {std::calloc(bytes, 1), Release{0}};
    if (!memory_) throw std::bad_alloc();
    data_ = memory_.get();
    return;
  }
  // Whole large pages, and room to begin at one.
  const std::size_t used = (bytes + large_page - 1) / large_page * large_page;
  const std::size_t mapped = used + large_page;
  if (mapped < bytes) throw std::bad_alloc();
  void* const start = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  memory_ = {start, Release{mapped}};
  const auto first = (reinterpret_cast<std::uintptr_t>(start) + large_page - 1) / large_page * large_page;
  data_ = reinterpret_cast<void*>(first);
  prefer_large_pages(data_, used);
}

}  // namespace mansard
