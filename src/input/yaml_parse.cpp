// From yaml-cpp's events to the tree: everything strict about the syntax is decided here.
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <unordered_set>

#include "input/file.hpp"
#include "input/yaml.hpp"

namespace mansard {
namespace {

constexpr std::size_t deepest = 64;
constexpr std::size_t most_values = 1'000'000;  // bounds the tree: about 200 bytes a node

class Builder : public YAML::EventHandler {
 public:
  explicit Builder(const std::string& name) : name_(name) {}

  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) refuse(mark, "a second YAML document: one is accepted");
  }
  void OnDocumentEnd() override {}
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    refuse(mark, "YAML aliases are not accepted: write the value out");
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (expects_key()) refuse(mark, "an empty key: expected a plain name");
    place(node(YamlNode::Type::null, mark, "?", anchor));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const bool quoted = tag == "!";  // yaml-cpp's mark of quoted and block scalars
    if (expects_key()) {
      if (quoted) refuse(mark, "a quoted key: expected a plain name");
      start_pair(mark, tag, anchor, value);
      return;
    }
    YamlNode scalar = node(YamlNode::Type::scalar, mark, quoted ? "?" : tag, anchor);
    scalar.text = value;
    scalar.quoted = quoted;
    place(std::move(scalar));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(node(YamlNode::Type::sequence, mark, tag, anchor), mark);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(node(YamlNode::Type::map, mark, tag, anchor), mark);
  }
  void OnMapEnd() override { close(); }

 private:
  /// A sequence or map that is not closed yet; `key` is the one whose value comes next.
  struct Open {
    YamlNode value;
    std::string key;
    Position key_at;
    bool has_key = false;
    std::unordered_set<std::string> keys;
  };

  [[nodiscard]] Position position(const YAML::Mark& mark) const {
    return {name_, static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
  }
  [[noreturn]] void refuse(const YAML::Mark& mark, std::string message) const {
    throw InputError(position(mark), std::move(message));
  }

  YamlNode node(YamlNode::Type type, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) refuse(mark, "YAML anchors are not accepted: write the value out");
    if (tag != "?" && !tag.empty()) refuse(mark, "YAML tags are not accepted, found '" + tag + "'");
    if (++values_ > most_values) refuse(mark, "more than " + std::to_string(most_values) + " values in one file");
    YamlNode made;
    made.type = type;
    made.at = position(mark);
    return made;
  }

  [[nodiscard]] bool expects_key() const {
    return !open_.empty() && open_.back().value.type == YamlNode::Type::map && !open_.back().has_key;
  }

  void start_pair(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& key) {
    node(YamlNode::Type::scalar, mark, tag, anchor);  // keys obey the rules of values
    Open& map = open_.back();
    if (!map.keys.insert(key).second) {
      const auto first = std::find_if(map.value.pairs.begin(), map.value.pairs.end(),
                                      [&key](const auto& pair) { return pair.first == key; });
      refuse(mark, "duplicate key '" + key + "', given before in line " + std::to_string(first->second.key_at.line));
    }
    map.key = key;
    map.key_at = position(mark);
    map.has_key = true;
  }

  void open(YamlNode collection, const YAML::Mark& mark) {
    if (expects_key()) refuse(mark, "a list or map as a key: expected a plain name");
    if (open_.size() == deepest) refuse(mark, "nested more than " + std::to_string(deepest) + " deep");
    open_.push_back({std::move(collection), {}, {}, false, {}});
  }

  void close() {
    YamlNode finished = std::move(open_.back().value);
    open_.pop_back();
    place(std::move(finished));
  }

  void place(YamlNode value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open& parent = open_.back();
    if (parent.value.type == YamlNode::Type::sequence) {
      parent.value.items.push_back(std::move(value));
      return;
    }
    value.key_at = parent.key_at;
    parent.value.pairs.emplace_back(std::move(parent.key), std::move(value));
    parent.has_key = false;
  }

  std::string name_;
  std::vector<Open> open_;
  YamlNode root_;
  std::size_t values_ = 0;
  int documents_ = 0;
};

/// yaml-cpp ends a text silently at U+0004 and reads on after others: refuse what no editor writes.
void refuse_control_characters(const std::string& text, const std::string& name) {
  Position at{name, 1, 1};
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 && c != '\t' && c != '\n' && c != '\r')
      throw InputError(at, "control character " + std::to_string(byte) + ": expected a text file");
    ++at.column;
    if (c == '\n') ++at.line, at.column = 1;
  }
}

}  // namespace

YamlNode parse_yaml(const std::string& text, const std::string& name) {
  if (text.size() > largest_text_file) throw InputError({name, 0, 0}, "longer than the 64 MiB that are accepted");
  refuse_control_characters(text, name);
  try {
    Builder builder(name);
    std::istringstream in(text);
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(builder)) {
    }
    YamlNode root = builder.take();
    if (root.at.line == 0) root.at = {name, 1, 1};
    return root;
  } catch (const YAML::Exception& wrong) {
    Position at{name, 0, 0};
    if (!wrong.mark.is_null()) at.line = static_cast<std::uint32_t>(wrong.mark.line + 1);
    if (!wrong.mark.is_null()) at.column = static_cast<std::uint32_t>(wrong.mark.column + 1);
    throw InputError(at, "not valid YAML: " + wrong.msg);
  }
}

YamlNode load_yaml(const std::filesystem::path& file) { return parse_yaml(read_text(file), file.string()); }

YamlNode::YamlNode() = default;

const YamlNode* YamlNode::find(std::string_view key) const {
  for (const auto& [name, value] : pairs)
    if (name == key) return &value;
  return nullptr;
}

}  // namespace mansard
