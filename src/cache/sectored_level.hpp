// A level whose lines are filled sector by sector: one tag for several sectors, each valid and dirty by itself.
#pragma once

#include <memory>

#include "cache/level.hpp"

namespace mansard {

/// `lines` holds the tags, in its policy's order; all else speaks of sectors, of which a line has 2 to 64. Of its
/// accesses and events a watched level (watched_level.hpp) takes care.
std::unique_ptr<Level> make_sectored(std::unique_ptr<Level> lines, std::uint32_t sectors);

}  // namespace mansard
