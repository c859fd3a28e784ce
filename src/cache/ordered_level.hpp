// The level of a policy that is an order of lines.
#pragma once

#include <memory>

#include "cache/level.hpp"

namespace mansard {

struct LevelGeometry;

enum class Renewal : std::uint8_t { on_use, on_insertion };  ///< what makes a line the newest: LRU, FIFO

/// For lines up to `highest_line`. The code is chosen for the SIMD instructions of the processor it runs on.
std::unique_ptr<Level> make_ordered_level(Renewal renewal, const LevelGeometry& geometry, std::uint32_t line_bytes,
                                          std::uint64_t highest_line);

}  // namespace mansard
