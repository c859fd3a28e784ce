// How long a chain of dependent operations takes.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "units/quantity.hpp"
#include "workload/kernel.hpp"

namespace mansard {

/// Of one operation ("add", "simd_load", …). 0 and the key "core.latency.add" in `missing` where the file does not say.
Cycles latency_of(const Core& core, const char* operation, std::vector<std::string>& missing);

/// Of all operations of a path.
Cycles latency_of(const Core& core, const FlopCount& path, std::vector<std::string>& missing);

}  // namespace mansard
