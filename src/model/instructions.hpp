// Which instructions a nest executes, SIMD or scalar, by a compiler that vectorises what it may.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "machine/machine.hpp"
#include "stream/program.hpp"
#include "units/quantity.hpp"

namespace mansard {

/// Instructions by kind; fractions arise where one SIMD instruction serves several executions.
struct Instructions {
  double loads = 0, stores = 0, add = 0, mul = 0, fma = 0, div = 0, sqrt = 0, call = 0;
};

/// The carried chain of one innermost loop, times the iterations it ran.
struct Chain {
  double iterations = 0;
  Recurrence recurrence;
};

/// An innermost loop in SIMD.
struct VectorLoop {
  double iterations = 0;  ///< of SIMD registers full
  const std::vector<StorePath>* paths = nullptr;
};

struct InstructionCount {
  Instructions simd, scalar;
  std::vector<Chain> chains;  ///< only those that cannot be split into partial sums
  std::vector<VectorLoop> vector_loops;
};

/// Of the whole nest. The rules: contiguous accesses and arithmetic of an innermost loop are SIMD unless the loop
/// carries a chain that may not be reassociated; strided and gathered accesses, and everything outside innermost
/// loops, are scalar. A loop that the schedule vectorises is SIMD in any case, along the loop or across the copies that
/// unrolling made; one that it makes scalar is not. Products that feed a sum are contracted where the core has FMA
/// units. `executions[id]` = how often Body id ran.
InstructionCount count_instructions(const Machine& machine, const Nest& nest,
                                    std::span<const std::uint64_t> executions);

/// Results in one cache line: line size over the size of an element of the array most stored to (most loaded from,
/// where nothing is stored). The unit of work of the ECM model; 8 for double on 64 B lines.
std::uint32_t results_per_line(const Machine& machine, const Nest& nest, std::span<const std::uint64_t> executions);

}  // namespace mansard
