// A text file line by line in bounded memory, with positions for messages.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <vector>

#include "input/diagnostic.hpp"

namespace mansard {

class TextLines {
 public:
  static constexpr std::size_t longest = 4096;  ///< characters of a line

  /// InputError if the file cannot be opened.
  explicit TextLines(const std::filesystem::path& file);

  /// The next line without its end, valid until the next call; nothing at the end of the file.
  /// InputError if a line is longer than `longest`.
  std::optional<std::string_view> next();
  /// The words of the line last read, separated by blanks and tabs.
  [[nodiscard]] const std::vector<std::string_view>& words() const { return words_; }

  [[nodiscard]] Position here() const { return {file_, number_, 0}; }
  [[nodiscard]] Position at(std::string_view word) const;  ///< of a word of the line last read
  /// Of the whole file; nothing for pipes and devices.
  [[nodiscard]] std::optional<std::uint64_t> size() const { return size_; }

 private:
  std::string file_;
  std::ifstream in_;
  std::optional<std::uint64_t> size_;
  std::vector<char> line_;
  std::vector<std::string_view> words_;
  std::uint32_t number_ = 0;
};

}  // namespace mansard
