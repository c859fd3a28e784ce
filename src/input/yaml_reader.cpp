#include <algorithm>

#include "input/yaml.hpp"

namespace mansard {

namespace {
std::string kind_of(const YamlNode& node) {
  switch (node.type) {
    case YamlNode::Type::null:
      return "nothing";
    case YamlNode::Type::scalar:
      return "'" + node.text + "'";
    case YamlNode::Type::sequence:
      return "a list";
    case YamlNode::Type::map:
      break;
  }
  return "a map";
}
}  // namespace

Reader::Reader(const YamlNode& map, std::string path, Diagnostics& diagnostics)
    : map_(&map), path_(std::move(path)), diagnostics_(&diagnostics) {
  if (map.type != YamlNode::Type::map)
    diagnostics.add({map.at, path_, "expected a map of keys and values, found " + kind_of(map), {}});
}

bool Reader::has(std::string_view key) const { return map_->find(key) != nullptr; }

const Position& Reader::at(std::string_view key) const {
  const YamlNode* found = map_->find(key);
  return found ? found->at : map_->at;
}

const YamlNode* Reader::optional(std::string_view key) {
  asked_.emplace_back(key);
  return map_->find(key);
}

const YamlNode* Reader::required(std::string_view key) {
  const YamlNode* found = optional(key);
  if (!found && map_->type == YamlNode::Type::map) mistake(map_->at, key, "missing, but required");
  return found;
}

std::string Reader::text(std::string_view key, std::string fallback) {
  const YamlNode* node = optional(key);
  if (!node) return fallback;
  if (node->type == YamlNode::Type::scalar) return node->text;
  mistake(node->at, key, "expected a text, found " + kind_of(*node));
  return fallback;
}

std::string Reader::need_text(std::string_view key) { return required(key) ? text(key, {}) : std::string{}; }

bool Reader::flag(std::string_view key, bool fallback) { return choice(key, {"false", "true"}, fallback ? 1 : 0) == 1; }

std::size_t Reader::choice(std::string_view key, const std::vector<std::string>& words, std::size_t fallback) {
  const YamlNode* node = optional(key);
  if (!node) return fallback;
  if (node->type == YamlNode::Type::scalar) {
    const auto found = std::find(words.begin(), words.end(), node->text);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  }
  mistake(node->at, key, "expected one of " + join(words) + ", found " + kind_of(*node), suggest(node->text, words));
  return fallback;
}

void Reader::mistake(const Position& at, std::string_view key, std::string message, std::string hint) {
  diagnostics_->add({at, path(key), std::move(message), std::move(hint)});
}

void Reader::finish() {
  std::vector<std::string> accepted = asked_;
  std::sort(accepted.begin(), accepted.end());
  accepted.erase(std::unique(accepted.begin(), accepted.end()), accepted.end());
  for (const auto& [key, value] : map_->pairs) {
    if (std::binary_search(accepted.begin(), accepted.end(), key)) continue;
    const std::string hint = suggest(key, accepted);
    mistake(value.key_at, key, hint.empty() ? "unknown key; accepted are " + join(accepted) : "unknown key", hint);
  }
}

}  // namespace mansard
