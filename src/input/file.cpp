#include "input/file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "input/diagnostic.hpp"
#include "units/print.hpp"

namespace mansard {

std::string read_text(const std::filesystem::path& file, std::uint64_t limit) {
  const Position at{file.string(), 0, 0};
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) throw InputError(at, "is a directory, expected a file");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(at, std::string("cannot be opened: ") + (errno ? std::strerror(errno) : "unknown reason"));
  // In pieces rather than by the size that the file system states: pipes and devices have none.
  std::string text;
  std::vector<char> piece(1 << 16);
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())), in.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > limit) throw InputError(at, "is longer than the " + print_size(limit) + " that are accepted");
  }
  if (in.bad()) throw InputError(at, "cannot be read");
  return text;
}

}  // namespace mansard
