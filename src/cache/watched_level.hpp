// A first level of a stage that tells the stage of every look-up, because a prefetcher watches them, or
// because it has sectors.
#pragma once

#include <memory>

#include "cache/level.hpp"

namespace mansard {

struct LevelGeometry;

/// Around a level of any policy: it goes through events one by one and leaves nothing out.
std::unique_ptr<Level> make_watched(std::unique_ptr<Level> level, const LevelGeometry& geometry);

}  // namespace mansard
