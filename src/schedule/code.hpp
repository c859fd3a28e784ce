// A kernel as a complete C program: what `mansard code` prints.
#pragma once

#include <string>

#include "workload/kernel.hpp"

namespace mansard {

/// C11 with the arrays as file-scope variables and the nests in `void kernel(void)`. With `with_main`, a main() follows
/// that fills the arrays with fixed values, runs the kernel once and prints a checksum of all arrays that does not
/// depend on their layout. InputError if index data are too large to print (2^20 values).
std::string to_program(const Kernel& kernel, bool with_main);

}  // namespace mansard
