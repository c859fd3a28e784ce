#include "app/loading.hpp"

#include "cache/policy.hpp"
#include "machine/load.hpp"

namespace mansard {

Definitions read_definitions(const std::vector<std::string>& texts) {
  Definitions definitions;
  for (const std::string& text : texts) definitions.push_back(parse_definition(text));
  return definitions;
}

Machine read_machine(const std::filesystem::path& file, const std::vector<std::string>& sets) {
  std::vector<Override> overrides;
  for (const std::string& text : sets) overrides.push_back(parse_override(text));
  return load_machine(file, overrides, {policy_names(), check_replacement});
}

}  // namespace mansard
