#include "input/file.hpp"

#include <charconv>
#include <string_view>

#include "workload/data/generator.hpp"

namespace mansard::generators {
namespace {

IndexValues make(GeneratorArguments& arguments) {
  if (arguments.node().type != YamlNode::Type::scalar) {
    arguments.mistake("expected the path of a file with integers");
    return {};
  }
  const std::filesystem::path file = arguments.file();
  const std::string text = read_text(file);
  IndexValues list;
  std::uint32_t line = 1;
  std::size_t line_start = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos) {
      if (text[at++] == '\n') ++line, line_start = at;
      continue;
    }
    std::int32_t value = 0;
    const auto result = std::from_chars(text.data() + at, text.data() + text.size(), value);
    const auto end = static_cast<std::size_t>(result.ptr - text.data());
    const bool ends = end == text.size() || std::string_view(" \t\r\n").find(text[end]) != std::string_view::npos;
    if (result.ec != std::errc() || !ends) {
      throw InputError({file.string(), line, static_cast<std::uint32_t>(at - line_start) + 1},
                       "expected integers of 32 bits between blanks");
    }
    list.push_back(value);
    at = end;
  }
  if (list.empty()) throw InputError({file.string(), 0, 0}, "the file holds no integers");
  return list;
}

}  // namespace

extern const Generator file;
const Generator file{"file", "PATH: integers between blanks, relative to the workload file", make};

}  // namespace mansard::generators
