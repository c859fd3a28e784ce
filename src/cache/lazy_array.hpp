// An array of zeros that may be much larger than what is used of it.
#pragma once

#include <cstddef>
#include <memory>

namespace mansard {

/// Zeroed memory that the operating system hands out as it is touched: only the sets in use take any. Much of it is
/// asked for in large pages: a simulation that fast-forwards touches a page a few times only, and would spend half of
/// its time on getting small ones.
class ZeroedMemory {
 public:
  ZeroedMemory() = default;
  explicit ZeroedMemory(std::size_t bytes);  ///< throws std::bad_alloc
  [[nodiscard]] void* data() const { return data_; }

 private:
  struct Release {
    std::size_t mapped;  ///< bytes; 0: from the heap
    void operator()(void* p) const;
  };
  std::unique_ptr<void, Release> memory_;
  void* data_ = nullptr;
};

template <class T>
class LazyArray {
 public:
  LazyArray() = default;
  explicit LazyArray(std::size_t size) : memory_(size * sizeof(T)) {}
  [[nodiscard]] T* data() const { return static_cast<T*>(memory_.data()); }

 private:
  ZeroedMemory memory_;
};

}  // namespace mansard
