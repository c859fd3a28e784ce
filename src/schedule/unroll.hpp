// Writes out the loops that are marked `unroll`: a loop of at most n iterations becomes n copies of its body where all
// n run, and stays a loop where fewer do.
#pragma once

#include "workload/kernel.hpp"

namespace mansard {

/// Updates are from here on counted by statement (where no loop is named by `update`): one per innermost iteration that
/// executes an array statement now, whatever the loops become.
void count_updates_by_statement(Kernel& kernel);

/// Updates are from here on counted by statement, so that n copies in one iteration are n updates.
void write_out_unrolled(Kernel& kernel);

}  // namespace mansard
