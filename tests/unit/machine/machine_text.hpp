// A small machine that is right, and what reading a changed one says.
#pragma once

#include <string>
#include <vector>

#include "machine/load.hpp"

namespace mansard::test {

/// The policies that the tests know: cache/ is a later module.
inline std::string check_replacement(std::string_view text, std::uint32_t) {
  return text == "fifo" || text == "lru" || text == "srrip-3" ? "" : "unknown replacement '" + std::string(text) + "'";
}
inline const MachineVocabulary vocabulary{{"fifo", "lru"}, check_replacement};

inline const std::string small_machine = R"(name: Small
clock: 2 GHz
cores: 4
core: {simd: 32 B}
caches:
  - {name: L1, size: 1 KiB, ways: 2}
  - {name: L2, sets: 32, ways: 4}
memory: {}
)";

/// `small_machine` with `overrides` ("caches.L2.size=2MiB").
inline Machine machine_with(const std::vector<std::string>& overrides, const std::string& text = small_machine) {
  YamlNode root = parse_yaml(text, "m.yaml");
  for (const std::string& change : overrides) apply_override(root, parse_override(change));
  return parse_machine(root, "m", vocabulary);
}

/// The mistakes of that machine, one a line, without "--set …: " in front; "accepted" if there are none.
inline std::string mistakes(const std::vector<std::string>& overrides, const std::string& text = small_machine) {
  try {
    machine_with(overrides, text);
  } catch (const InputError& wrong) {
    std::string all;
    for (const Diagnostic& d : wrong.diagnostics()) {
      all += (all.empty() ? "" : "\n") + (d.key.empty() ? std::string{} : d.key + ": ") + d.message;
      if (!d.hint.empty()) all += " (" + d.hint + ")";
    }
    return all;
  }
  return "accepted";
}

}  // namespace mansard::test
