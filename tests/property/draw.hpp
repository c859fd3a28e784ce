// Where random cases get their choices from: rapidcheck in the property tests (rapidcheck_draw.hpp), the fuzzer's bytes
// in tests/fuzz. The generators know only this.
#pragma once

#include <cstddef>
#include <initializer_list>

#include "workload/quasi.hpp"

namespace mansard::property {

class Draw {
 public:
  virtual ~Draw() = default;

  /// Any of low … high, both inclusive.
  template <class T>
  T any(T low, T high) {
    return static_cast<T>(integer(static_cast<Int>(low), static_cast<Int>(high)));
  }
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return values.begin()[any<std::size_t>(0, values.size() - 1)];
  }
  bool chance(int percent) { return any(1, 100) <= percent; }

 private:
  virtual Int integer(Int low, Int high) = 0;
};

}  // namespace mansard::property
