// Strict YAML: an own tree with positions, filled from yaml-cpp's event parser. Refused at once, each with its
// position: aliases and anchors, tags, duplicate keys, keys that are not plain scalars, several documents, nesting
// deeper than 64, control characters, files over 64 MiB or of more than a million values. Scalars stay text; `Reader`
// (below) turns them into typed values and reports every mistake it meets.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/diagnostic.hpp"
#include "units/parse.hpp"

namespace mansard {

struct YamlNode {
  enum class Type : std::uint8_t { null, scalar, sequence, map };
  Type type = Type::null;
  std::string text;                                     ///< scalar
  std::vector<YamlNode> items;                          ///< sequence
  std::vector<std::pair<std::string, YamlNode>> pairs;  ///< map, in file order
  Position at;                                          ///< of the value
  Position key_at;                                      ///< of the key, for values of a map
  bool quoted = false;

  YamlNode();  // defined in a .cpp: an inline one makes clang ask for pair<string, YamlNode> before it is complete
  [[nodiscard]] const YamlNode* find(std::string_view key) const;  ///< null if not a map or absent
};

YamlNode load_yaml(const std::filesystem::path& file);                  ///< InputError if unreadable or refused
YamlNode parse_yaml(const std::string& text, const std::string& name);  ///< `name` is used in positions

/// A block scalar (`code: |`) as source text: line and column of its first character in the file, and the number of
/// columns by which each of its lines is indented there, so that positions in the code point into the YAML file.
struct SourceText {
  std::string file, text;
  std::uint32_t first_line = 1, indent = 0;
  bool exact = true;  ///< false for folded scalars: every offset has the position of the scalar
  [[nodiscard]] Position at(std::size_t offset) const;  ///< of a byte offset into `text`
};
/// `raw` is the content of the whole file.
SourceText source_of(const YamlNode& scalar, const std::string& raw);

/// One "path=value" of --set. The path's keys are separated by dots; an element of a sequence of maps that have a
/// `name` is addressed by that name, any other by its index ("caches.L2.size", "caches.0.size").
struct Override {
  std::string path, value;  ///< value is parsed as YAML (a scalar or a flow sequence or map)
  Position at;              ///< "--set caches.L2.size=2MiB"
};
/// Splits "path=value"; InputError if there is no '=' or the path is empty.
Override parse_override(const std::string& text);
/// Replaces or adds the value in the tree; maps on the way that are not there are added ("layout.gap" in a file without
/// `layout`), and who reads the tree refuses keys that he does not know. InputError if the path runs through a value or
/// an element of a sequence that is not there, with the names that are.
void apply_override(YamlNode& root, const Override& change);

/// Typed access to a map that remembers which keys were asked for. Mistakes go to the Diagnostics given; a getter
/// returns its fallback then, so that reading goes on and all mistakes of a file are found.
class Reader {
 public:
  /// `path` is the key's path for messages ("caches.L2", empty at the root).
  Reader(const YamlNode& map, std::string path, Diagnostics& diagnostics);

  [[nodiscard]] bool has(std::string_view key) const;
  const YamlNode* optional(std::string_view key);  ///< null if absent
  const YamlNode* required(std::string_view key);  ///< null and a mistake if absent

  /// A scalar through one of the parsers of units/parse.hpp; `fallback` if absent (optional) or wrong.
  template <class T>
  T get(std::string_view key, Parsed<T> (*parser)(std::string_view), const T& fallback) {
    const YamlNode* node = optional(key);
    return node ? convert(key, *node, parser, fallback) : fallback;
  }
  template <class T>
  T need(std::string_view key, Parsed<T> (*parser)(std::string_view), const T& fallback) {
    const YamlNode* node = required(key);
    return node ? convert(key, *node, parser, fallback) : fallback;
  }
  std::string text(std::string_view key, std::string fallback);  ///< optional scalar
  std::string need_text(std::string_view key);
  bool flag(std::string_view key, bool fallback);  ///< exactly true or false
  /// One of `words`; the index of the word found.
  std::size_t choice(std::string_view key, const std::vector<std::string>& words, std::size_t fallback);

  void mistake(const Position& at, std::string_view key, std::string message, std::string hint = {});
  /// Reports every key that was not asked for, with a suggestion. Call once, at the end.
  void finish();
  /// Of the value, or of the map where there is no such key.
  [[nodiscard]] const Position& at(std::string_view key) const;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string path(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  }

 private:
  template <class T>
  T convert(std::string_view key, const YamlNode& node, Parsed<T> (*parser)(std::string_view), const T& fallback) {
    if (node.type != YamlNode::Type::scalar) {
      const bool empty = node.type == YamlNode::Type::null;
      mistake(node.at, key, std::string("expected a value, found ") + (empty ? "nothing" : "a list or map"));
      return fallback;
    }
    Parsed<T> parsed = parser(node.text);
    if (auto* value = std::get_if<0>(&parsed)) return *value;
    mistake(node.at, key, "'" + node.text + "': " + std::get<1>(parsed));
    return fallback;
  }

  const YamlNode* map_;
  std::string path_;
  Diagnostics* diagnostics_;
  std::vector<std::string> asked_;
};

}  // namespace mansard
