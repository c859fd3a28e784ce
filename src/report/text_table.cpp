#include "report/text_table.hpp"

#include <algorithm>
#include <sstream>

namespace mansard {

std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string TextTable::str() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], display_width(row[c]));
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string fill(widths[c] - display_width(row[c]), ' ');
      line += "  " + (c < left_ ? row[c] + fill : fill + row[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string labelled(const std::string& label, const std::string& text, std::size_t indent, std::size_t width) {
  std::istringstream words(text);
  std::string result = label + std::string(indent - std::min(indent, display_width(label)), ' '), word;
  std::size_t used = indent;
  while (words >> word) {
    const std::size_t length = display_width(word);
    if (used > indent && used + 1 + length > width) {
      result += "\n" + std::string(indent, ' ');
      used = indent;
    }
    if (used > indent) result += ' ', ++used;
    result += word;
    used += length;
  }
  return result + "\n";
}

}  // namespace mansard
