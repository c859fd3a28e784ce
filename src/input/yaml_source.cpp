// Where the characters of a block scalar stand in the file.
#include <algorithm>

#include "input/yaml.hpp"

namespace mansard {
namespace {

/// The lines of `text` from number `first` (counted from 1) on, without line ends.
std::vector<std::string_view> lines_from(std::string_view text, std::uint32_t first) {
  std::vector<std::string_view> lines;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (number >= first) lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Whether the lines of `text` stand in `raw` one for one, `indent` columns to the right.
bool stands_in(const std::vector<std::string_view>& text, const std::vector<std::string_view>& raw,
               std::size_t indent) {
  if (text.size() > raw.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view found = raw[i].size() > indent ? raw[i].substr(indent) : std::string_view{};
    if (found.substr(0, text[i].size()) != text[i]) return false;
  }
  return true;
}

}  // namespace

SourceText source_of(const YamlNode& scalar, const std::string& raw) {
  const auto text = lines_from(scalar.text, 1);
  SourceText source{scalar.at.file, scalar.text, scalar.at.line + 1, 0, true};

  // A literal block starts in the line after its '|'; its first line with text tells the indent.
  const auto block = lines_from(raw, scalar.at.line + 1);
  const auto full = std::find_if(text.begin(), text.end(), [](std::string_view line) { return !line.empty(); });
  const auto row = static_cast<std::size_t>(full - text.begin());
  if (scalar.quoted && row < text.size() && row < block.size() && block[row].ends_with(*full)) {
    const std::size_t indent = block[row].size() - full->size();
    if (stands_in(text, block, indent)) {
      source.indent = static_cast<std::uint32_t>(indent);
      return source;
    }
  }

  // A scalar within one line, plain or in quotes; anything else (folded, escapes) has one position for all of it.
  const auto here = lines_from(raw, scalar.at.line);
  const std::uint32_t column = std::max(scalar.at.column, 1U) - 1 + (scalar.quoted ? 1 : 0);
  source.first_line = scalar.at.line;
  source.indent = column;
  source.exact = text.size() == 1 && !here.empty() && stands_in(text, here, column);
  if (!source.exact) source.indent = std::max(scalar.at.column, 1U) - 1;
  return source;
}

Position SourceText::at(std::size_t offset) const {
  if (!exact) return {file, first_line, indent + 1};
  const std::string_view before = std::string_view(text).substr(0, offset);
  const auto line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {file, first_line + line, indent + static_cast<std::uint32_t>(before.size() - start) + 1};
}

}  // namespace mansard
