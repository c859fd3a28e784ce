#include "input/text_lines.hpp"

#include <algorithm>

namespace mansard {

TextLines::TextLines(const std::filesystem::path& file) : file_(file.string()), line_(longest + 2) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) throw InputError({file_, 0, 0}, "is a directory, expected a file");
  if (std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored)) {
    throw InputError({file_, 0, 0}, "is not a regular file");  // a pipe would wait for ever
  }
  in_.open(file, std::ios::binary);
  if (!in_) throw InputError({file_, 0, 0}, "cannot be opened");
  if (std::filesystem::is_regular_file(file, ignored)) size_ = std::filesystem::file_size(file, ignored);
}

std::optional<std::string_view> TextLines::next() {
  words_.clear();
  in_.getline(line_.data(), static_cast<std::streamsize>(line_.size()));
  const auto count = static_cast<std::size_t>(in_.gcount());
  if (in_.eof() && count == 0) return std::nullopt;
  ++number_;
  if (in_.fail() && !in_.eof())
    throw InputError(here(), "a line of more than " + std::to_string(longest) + " characters");
  std::string_view line(line_.data(), in_.eof() ? count : count - 1);  // gcount includes the line end
  if (line.ends_with('\r')) line.remove_suffix(1);
  for (std::size_t begin = 0; (begin = line.find_first_not_of(" \t", begin)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    words_.push_back(line.substr(begin, end - begin));
    begin = end;
  }
  return line;
}

Position TextLines::at(std::string_view word) const {
  return {file_, number_, static_cast<std::uint32_t>(word.data() - line_.data()) + 1};
}

}  // namespace mansard
