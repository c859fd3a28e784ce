// The program: finds the command, runs it, and alone turns exceptions into messages and exit codes
// (0 done, 1 it failed, 2 the input or the command line was wrong).
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <stdexcept>

#include "app/command.hpp"
#include "app/data.hpp"
#include "app/version.hpp"
#include "input/diagnostic.hpp"

namespace {

using namespace mansard;

std::string overview() {
  std::string text = "mansard " + std::string(version) +
                     ": a hierarchical roofline simulator\n\n"
                     "usage: mansard COMMAND …   (mansard COMMAND --help says more)\n\n";
  for (const Command* command : all_commands()) {
    text += "  mansard " + std::string(command->usage) + "\n      " + command->summary + "\n";
  }
  return text;
}

int dispatch(const std::vector<std::string>& words, const Surroundings& surroundings) {
  if (words.empty() || words.front() == "--help" || words.front() == "-h" || words.front() == "help") {
    (words.empty() ? surroundings.err : surroundings.out) << overview();
    return words.empty() ? 2 : 0;
  }
  if (words.front() == "--version") {
    surroundings.out << "mansard " << version << '\n';
    return 0;
  }
  std::vector<std::string> names;
  for (const Command* command : all_commands()) {
    if (words.front() == command->name) return command->main({words.begin() + 1, words.end()}, surroundings);
    names.emplace_back(command->name);
  }
  throw InputError({"mansard"}, "unknown command '" + words.front() + "'; known are " + join(names),
                   suggest(words.front(), names));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::error_code ignored;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    const char* data = std::getenv("MANSARD_DATA");
    const Surroundings surroundings{std::cout, std::cerr, ::isatty(STDERR_FILENO) != 0,
                                    data_folders(program, data == nullptr ? "" : data)};
    const int code = dispatch({argv + 1, argv + argc}, surroundings);
    if (!std::cout.flush()) throw std::runtime_error("cannot write to standard output");
    return code;
  } catch (const InputError& error) {
    for (const Diagnostic& d : error.diagnostics()) std::cerr << "error: " << to_string(d) << '\n';
    return 2;
  } catch (const std::bad_alloc&) {
    std::cerr << "error: not enough memory\n";
    return 1;
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 1;
  }
}
