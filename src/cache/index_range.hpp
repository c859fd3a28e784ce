// Least and greatest of many indices.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace mansard {

/// Of at least one.
std::pair<std::int32_t, std::int32_t> index_range(std::span<const std::int32_t> indices);

}  // namespace mansard
