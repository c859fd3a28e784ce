// An array of zeros that may be much larger than what is used of it.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace mansard {

/// Zeroed memory that the operating system hands out as it is touched: only the sets in use take any.
template <class T>
class LazyArray {
 public:
  explicit LazyArray(std::size_t size) : memory_(static_cast<T*>(std::calloc(size, sizeof(T)))) {
    if (!memory_) throw std::bad_alloc();
  }
  [[nodiscard]] T* data() const { return memory_.get(); }

 private:
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T[], Free> memory_;
};

}  // namespace mansard
