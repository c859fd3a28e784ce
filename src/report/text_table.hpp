// Columns of text, aligned by what is seen on a terminal (UTF-8 code points, not bytes).
#pragma once

#include <string>
#include <vector>

namespace mansard {

class TextTable {
 public:
  /// The first `left` columns are left-aligned, the others right-aligned.
  TextTable(std::vector<std::string> header, std::size_t left) : rows_{std::move(header)}, left_(left) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// Two blanks before every line and between columns; no blanks at the end of a line.
  [[nodiscard]] std::string str() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::size_t left_;
};

/// Code points of a UTF-8 text.
std::size_t display_width(const std::string& text);

/// "label      text", broken at blanks so that lines stay within `width`; the text starts in column `indent` of each.
std::string labelled(const std::string& label, const std::string& text, std::size_t indent, std::size_t width);

}  // namespace mansard
