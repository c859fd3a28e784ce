#include "workload/data/generator_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace mansard {

GeneratorArguments::GeneratorArguments(const YamlNode& node, std::string path, const Parameters& parameters,
                                       std::filesystem::path folder, Diagnostics& diagnostics)
    : node_(node),
      path_(std::move(path)),
      parameters_(parameters),
      folder_(std::move(folder)),
      diagnostics_(diagnostics),
      mistakes_before_(diagnostics.list().size()) {
  if (node.type == YamlNode::Type::map) reader_.emplace(node, path_, diagnostics);
}

void GeneratorArguments::mistake(std::string message) { diagnostics_.add({node_.at, path_, std::move(message), {}}); }

Int GeneratorArguments::checked(const YamlNode& value, std::string_view key, Int low, Int high) {
  const std::string path = key.empty() ? path_ : path_ + "." + std::string(key);
  if (value.type != YamlNode::Type::scalar) {
    diagnostics_.add({value.at, path, "expected an integer, found a list or map", {}});
    return low;
  }
  try {
    const Int found =
        evaluate({value.at.file, value.text, value.at.line, std::max(value.at.column, 1U) - 1}, parameters_);
    if (found >= low && found <= high) return found;
    diagnostics_.add({value.at, path, fmt::format("{}: expected {} to {}", found, low, high), {}});
  } catch (const InputError& error) {
    for (Diagnostic d : error.diagnostics()) {
      d.key = path;
      diagnostics_.add(std::move(d));
    }
  }
  return low;
}

Int GeneratorArguments::integer(std::string_view key, Int low, Int high, std::optional<Int> fallback) {
  if (!reader_) {
    if (ok()) mistake(fmt::format("expected a map with the key '{}'", key));
    return fallback.value_or(low);
  }
  const YamlNode* value = fallback ? reader_->optional(key) : reader_->required(key);
  return value ? checked(*value, key, low, high) : fallback.value_or(low);
}

Int GeneratorArguments::element(const YamlNode& item, Int low, Int high) { return checked(item, {}, low, high); }

double GeneratorArguments::real(std::string_view key, double low, double high) {
  if (!reader_) {
    if (ok()) mistake(fmt::format("expected a map with the key '{}'", key));
    return low;
  }
  const double found = reader_->need<double>(key, parse_number, low);
  if (found >= low && found <= high) return found;
  reader_->mistake(node_.find(key)->at, key, fmt::format("{}: expected {} to {}", found, low, high));
  return low;
}

std::uint64_t GeneratorArguments::seed() {
  return static_cast<std::uint64_t>(integer("seed", 0, std::numeric_limits<Int>::max() >> 2, 1));
}

std::filesystem::path GeneratorArguments::file() const {
  const std::filesystem::path given = node_.text;
  return given.is_absolute() ? given : folder_ / given;
}

bool GeneratorArguments::fits(Int entries) {
  if (entries >= 1 && entries <= most_entries) return true;
  mistake(fmt::format("{} entries: expected 1 to {}", entries, most_entries));
  return false;
}

void GeneratorArguments::finish() {
  if (reader_) reader_->finish();
}

}  // namespace mansard
