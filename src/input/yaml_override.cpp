// One value changed by its path: `--set caches.L2.size=2MiB`.
#include <algorithm>
#include <charconv>

#include "input/yaml.hpp"

namespace mansard {
namespace {

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> keys(1);
  for (const char c : path) {
    if (c == '.') {
      keys.emplace_back();
    } else {
      keys.back() += c;
    }
  }
  return keys;
}

/// By the `name` of an element, or by its index.
YamlNode& element(YamlNode& list, const std::string& key, const Override& change) {
  std::vector<std::string> names;
  for (YamlNode& item : list.items) {
    const YamlNode* name = item.find("name");
    if (name && name->text == key) return item;
    if (name) names.push_back(name->text);
  }
  std::size_t index = 0;
  const auto [stop, error] = std::from_chars(key.data(), key.data() + key.size(), index);
  if (error == std::errc{} && stop == key.data() + key.size() && index < list.items.size()) return list.items[index];
  const std::string there = names.empty() ? std::to_string(list.items.size()) + " elements" : join(names);
  throw InputError({{change.at, change.path, "no element '" + key + "'; there are " + there, suggest(key, names)}});
}

/// The value of `key` below `node`; a key that a map does not have is added, and it is for the reader of the map to
/// say whether it knows that key.
YamlNode& step_into(YamlNode& node, const std::string& key, const Override& change) {
  if (node.type == YamlNode::Type::sequence) return element(node, key, change);
  if (node.type == YamlNode::Type::scalar) {
    throw InputError({{change.at,
                       change.path,
                       "'" + key + "' is looked for in the value '" + node.text + "', which has no keys",
                       {}}});
  }
  node.type = YamlNode::Type::map;
  const auto found =
      std::find_if(node.pairs.begin(), node.pairs.end(), [&key](const auto& pair) { return pair.first == key; });
  if (found != node.pairs.end()) return found->second;
  YamlNode& added = node.pairs.emplace_back(key, YamlNode{}).second;
  added.at = added.key_at = change.at;
  return added;
}

void set_positions(YamlNode& node, const Position& at) {
  node.at = node.key_at = at;
  for (YamlNode& item : node.items) set_positions(item, at);
  for (auto& [key, value] : node.pairs) set_positions(value, at);
}

/// Columns inside the option's value would mislead: every position is the option itself.
YamlNode parse_value(const Override& change) {
  try {
    YamlNode value = parse_yaml(change.value, change.at.file);
    set_positions(value, change.at);
    return value;
  } catch (const InputError& wrong) {
    throw InputError({{change.at, change.path, wrong.diagnostics().front().message, {}}});
  }
}

}  // namespace

Override parse_override(const std::string& text) {
  const Position at{"--set " + text, 0, 0};
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) throw InputError(at, "expected path=value, such as caches.L2.size=2MiB");
  Override change{text.substr(0, equals), text.substr(equals + 1), at};
  const std::vector<std::string> keys = split_path(change.path);
  if (std::find(keys.begin(), keys.end(), std::string{}) != keys.end())
    throw InputError(at, "empty key in the path '" + change.path + "': expected a path such as caches.L2.size");
  constexpr std::size_t deepest = 16;
  if (keys.size() > deepest) throw InputError(at, "a path of more than " + std::to_string(deepest) + " keys");
  return change;
}

void apply_override(YamlNode& root, const Override& change) {
  YamlNode* node = &root;
  for (const std::string& key : split_path(change.path)) node = &step_into(*node, key, change);
  *node = parse_value(change);
}

}  // namespace mansard
