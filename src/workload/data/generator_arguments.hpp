// The arguments of a generator: typed values from the YAML, in which integers may be expressions of parameters.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input/yaml.hpp"
#include "workload/elaborate/elaborate.hpp"

namespace mansard {

/// Entries of one index table that are accepted: 2 GiB of 32-bit integers.
inline constexpr Int most_entries = Int{1} << 27;

class GeneratorArguments {
 public:
  /// `node` is the value under the generator's name; `path` names it in messages ("data.A.banded").
  GeneratorArguments(const YamlNode& node, std::string path, const Parameters& parameters, std::filesystem::path folder,
                     Diagnostics& diagnostics);

  /// Between low and high, both inclusive; without a fallback the key is required.
  Int integer(std::string_view key, Int low, Int high, std::optional<Int> fallback = std::nullopt);
  double real(std::string_view key, double low, double high);
  std::uint64_t seed();  ///< the optional key `seed`, default 1

  [[nodiscard]] const YamlNode& node() const { return node_; }
  [[nodiscard]] std::filesystem::path file() const;      ///< the node as a path, relative to the workload file
  Int element(const YamlNode& item, Int low, Int high);  ///< one item of a list

  /// Reports unless 1 <= entries <= most_entries; to be asked before anything is allocated.
  bool fits(Int entries);
  void mistake(std::string message);
  void finish();  ///< reports keys that were not asked for
  [[nodiscard]] bool ok() const { return diagnostics_.list().size() == mistakes_before_; }

 private:
  Int checked(const YamlNode& value, std::string_view key, Int low, Int high);

  const YamlNode& node_;
  std::string path_;
  const Parameters& parameters_;
  std::filesystem::path folder_;
  Diagnostics& diagnostics_;
  std::size_t mistakes_before_;
  std::optional<Reader> reader_;
};

}  // namespace mansard
