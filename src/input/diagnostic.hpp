// What is wrong with an input, and where. Mistakes are collected and thrown once; only `main` catches and prints.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace mansard {

/// A place in a text; line and column count from 1, 0 means "the whole file" (or the option named by `file`).
struct Position {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};
std::string to_string(const Position& at);  ///< "machines/x.yaml:3:7"

struct Diagnostic {
  Position at;
  std::string key;      ///< path of the key in a YAML file ("caches.L2.ways"), empty elsewhere
  std::string message;  ///< what was found and what is accepted, one sentence, no final full stop
  std::string hint;     ///< optional suggestion, e.g. "did you mean 'replacement'?"
};
std::string to_string(const Diagnostic& d);  ///< "file:3:7: caches.L2.ways: … (did you mean …?)"

/// The input or the command line was wrong: exit code 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics);
  InputError(Position at, std::string message, std::string hint = {});
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// Collects mistakes; `throw_if_any` throws them all as one InputError.
class Diagnostics {
 public:
  void add(Diagnostic d) { list_.push_back(std::move(d)); }
  void add(Position at, std::string message) { list_.push_back({std::move(at), {}, std::move(message), {}}); }
  [[nodiscard]] bool empty() const { return list_.empty(); }
  [[nodiscard]] const std::vector<Diagnostic>& list() const { return list_; }
  void throw_if_any() const;

 private:
  std::vector<Diagnostic> list_;
};

/// "did you mean 'x'?" for the nearest of `accepted` within a third of the word's length, else empty.
std::string suggest(const std::string& found, const std::vector<std::string>& accepted);
/// "a, b, c"
std::string join(const std::vector<std::string>& words);

}  // namespace mansard
