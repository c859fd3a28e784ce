// What iterations of a loop share when they run at the same time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedule/grammar.hpp"
#include "schedule/scheduling.hpp"
#include "workload/kernel.hpp"

namespace mansard {

/// May the loops of this name ("i" or "S2.i") in a root be shared among cores? Where iterations depend on each other:
/// false and a mistake or, by force, true and a warning. In a nest of which too little is known for dependences only
/// that counts which every iteration stores to the same element. What an iteration declares is its own.
bool may_share(Scheduling& scheduling, std::size_t root, const std::string& loop, const StepCall& call);

/// Where iterations of a loop below the root that is shared among cores depend on each other: how, in words.
std::optional<std::string> shared_race(Scheduling& scheduling, const Branch& root, const Position& at);

}  // namespace mansard
