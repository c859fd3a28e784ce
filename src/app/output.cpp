#include "app/output.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <stdexcept>
#include <system_error>

namespace mansard {

void write_result(const std::string& text, const std::optional<std::string>& file, std::ostream& out) {
  if (!file) {
    out << text << std::flush;
    if (!out) throw std::runtime_error("cannot write to standard output");
    return;
  }
  // A link is followed, and what is not a regular file (a pipe, a terminal) is written to, not replaced.
  std::error_code none;
  const auto status = std::filesystem::status(*file, none);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    std::ofstream direct(*file, std::ios::binary);
    direct << text << std::flush;
    if (!direct) throw std::runtime_error("cannot write '" + *file + "'");
    return;
  }
  const std::filesystem::path target = std::filesystem::weakly_canonical(*file, none);
  const std::string temporary = target.string() + ".part" + std::to_string(::getpid());
  std::ofstream stream(temporary, std::ios::binary);
  stream << text;
  stream.close();
  std::error_code error;
  if (stream && std::filesystem::exists(status)) std::filesystem::permissions(temporary, status.permissions(), none);
  if (stream) std::filesystem::rename(temporary, target, error);
  if (!stream || error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw std::runtime_error("cannot write '" + *file + "'");
  }
}

}  // namespace mansard
