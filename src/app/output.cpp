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
  const std::string temporary = *file + ".part" + std::to_string(::getpid());
  std::ofstream stream(temporary, std::ios::binary);
  stream << text;
  stream.close();
  std::error_code error;
  if (stream) std::filesystem::rename(temporary, *file, error);
  if (!stream || error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw std::runtime_error("cannot write '" + *file + "'");
  }
}

}  // namespace mansard
