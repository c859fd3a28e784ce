// The lines that a reference goes through when it moves by less than a line at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace mansard {

/// Calls visit(first, last, line) for the iterations [first, last] that touch the same line, of `count` iterations that
/// start at `address` and move by `stride` (modulo 2^64; less than a line of 2^shift bytes, up or down).
template <class Visit>
void visit_lines(std::uint64_t address, std::uint64_t stride, std::uint64_t count, int shift, const Visit& visit) {
  const std::uint64_t in_line = (std::uint64_t{1} << shift) - 1;
  const bool up = stride >> 63U == 0;
  const auto step = static_cast<std::uint32_t>(up ? stride : 0 - stride);
  const bool power_of_two = (step & (step - 1)) == 0;  // or 0
  const int step_shift = std::countr_zero(step | std::uint32_t{1} << 31U);
  for (std::uint64_t n = 0; n < count;) {
    const auto left = static_cast<std::uint32_t>(up ? in_line - (address & in_line) : address & in_line);
    const std::uint64_t more = step == 0 ? count : power_of_two ? left >> step_shift : left / step;
    const std::uint64_t last = std::min(count - 1, n + more);
    visit(n, last, address >> shift);
    address += (last + 1 - n) * stride;
    n = last + 1;
  }
}

}  // namespace mansard
