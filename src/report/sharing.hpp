// What a report says of several cores: how they scale, and what they take from each other.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cache/cores/cores.hpp"
#include "report/summary.hpp"

namespace mansard {

/// Arrays whose lines cores took from each other; `sharing` is by array of the program.
std::vector<ArraySharing> sharing_of(const Program& program, std::span<const SharingCount> sharing);

/// One sentence for each array that cores write-share, with what to do against it.
std::vector<std::string> sharing_warnings(std::span<const ArraySharing> sharing);

/// The table of `run.scaling`, and the lines of `run.sharing`.
std::string scaling_table(const Summary& summary);
std::string sharing_text(const Summary& summary);

}  // namespace mansard
