// Replacement policies. Each is one file in policies/ that defines a `Policy`; CMake makes the table of them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mansard {

class Level;
struct LevelGeometry;

/// How a cache chooses the line that makes room for a new one.
struct Policy {
  const char* name;     ///< as in a machine file: "lru"
  const char* summary;  ///< one line for the user
  /// An empty level with this replacement. A policy brings the whole level, so that its sets are stored as suits it and
  /// its loops are compiled for it. No line above `highest_line` will be asked for. Throws std::bad_alloc.
  std::unique_ptr<Level> (*make)(const LevelGeometry& geometry, std::uint32_t line_bytes, std::uint64_t highest_line);
  /// What is wrong with the parameters or with so many ways; empty if nothing. Null: no parameters, any ways.
  std::string (*check)(std::string_view parameters, std::uint32_t ways) = nullptr;
};

/// All policies, by name (generated from the folder).
std::span<const Policy* const> all_policies();
std::vector<std::string> policy_names();
/// Null if there is no policy of that name.
const Policy* find_policy(std::string_view name);

/// A `replacement` of a machine file: the name of a policy, or the name, a dash and parameters ("srrip-3").
struct Replacement {
  const Policy* policy = nullptr;  ///< null if there is no policy of that name
  std::string parameters;
};
Replacement find_replacement(std::string_view text);
/// One sentence that says what is wrong with `text` for a cache of so many ways; empty if nothing.
std::string check_replacement(std::string_view text, std::uint32_t ways);

}  // namespace mansard
