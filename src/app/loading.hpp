// Machines as the commands load them: with the policies that the simulator knows and the overrides of --set.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "machine/machine.hpp"

namespace mansard {

Machine read_machine(const std::filesystem::path& file, const std::vector<std::string>& sets);

}  // namespace mansard
