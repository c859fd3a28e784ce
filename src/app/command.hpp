// A command of the program: one file in commands/, found by its name.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

namespace mansard {

/// What a command may touch of the world outside: the streams, whether they are a terminal, and the data folders.
struct Surroundings {
  std::ostream& out;
  std::ostream& err;
  bool terminal = false;                    ///< is `err` a terminal (progress is shown only there)
  std::vector<std::filesystem::path> data;  ///< folders that hold machines/ and workloads/, in order of preference
};

struct Command {
  const char* name;
  const char* usage;    ///< "run WORKLOAD -m MACHINE [-D N=512]…"
  const char* summary;  ///< one sentence
  /// Returns the exit code; throws InputError for what the user got wrong.
  int (*main)(const std::vector<std::string>& arguments, const Surroundings& surroundings);
};

std::span<const Command* const> all_commands();  ///< by name (generated from the folder)

}  // namespace mansard
