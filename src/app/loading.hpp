// Machines and definitions as the commands read them from the command line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "workload/load.hpp"

namespace mansard {

/// The values of -D.
Definitions read_definitions(const std::vector<std::string>& texts);

/// With the policies that the simulator knows and the overrides of --set.
Machine read_machine(const std::filesystem::path& file, const std::vector<std::string>& sets);

}  // namespace mansard
