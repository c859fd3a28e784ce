// A kernel as C of the same subset: parsing what is printed gives the same kernel again, given the same index data.
#pragma once

#include <string>

#include "workload/kernel.hpp"

namespace mansard {

/// The nests alone, as full C instead of the subset: long loop variables, floor(), the layout of arrays, OpenMP
/// pragmas, STREAM(target, value) for non-temporal stores. schedule/code.hpp puts the rest of a program around it.
std::string nests_as_full_c(const Kernel& kernel);

/// Declarations and nests with all sizes as numbers. Contents of index arrays are not printed.
std::string to_c(const Kernel& kernel);

/// "2*i+j-1", with the names of the kernel's slots.
std::string to_string(const Quasi& q, const Kernel& kernel);

}  // namespace mansard
