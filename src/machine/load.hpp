// From a machine file to a Machine. The keys are described in docs/machines.md and machines/schema.json.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "input/yaml.hpp"
#include "machine/machine.hpp"

namespace mansard {

/// Names that machine files use but later modules define.
struct MachineVocabulary {
  std::vector<std::string> policies;  ///< replacement policies known to cache/, to suggest one
  /// One sentence that says what is wrong with a `replacement` for a cache of so many ways; empty if nothing.
  std::string (*check_replacement)(std::string_view text, std::uint32_t ways);
};

/// Reads `file`, applies `overrides` in their order, then validates. The id is the file's stem.
/// InputError with every mistake of the file, each with its position.
Machine load_machine(const std::filesystem::path& file, const std::vector<Override>& overrides,
                     const MachineVocabulary& vocabulary);

/// Validates a tree to which overrides have been applied already. InputError as above.
Machine parse_machine(const YamlNode& root, std::string id, const MachineVocabulary& vocabulary);

}  // namespace mansard
