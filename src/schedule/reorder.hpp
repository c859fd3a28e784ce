// What the steps order and interchange share.
#pragma once

#include <vector>

#include "schedule/scheduling.hpp"

namespace mansard {

/// In every nest with these loops, puts them into the places that they have among each other, in the order given;
/// `exchange`: in the opposite of the order that they have.
void reorder(Scheduling& scheduling, const std::vector<const Argument*>& loops, bool exchange, const StepCall& call);

/// The arguments, if all of them are names of loops; else empty.
std::vector<const Argument*> loop_names(const StepCall& call);

}  // namespace mansard
