// Command-line options over Boost.Program_options: names are never guessed from abbreviations, numbers are parsed by
// our own strict readers, and every mistake becomes an InputError that names the option.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <optional>
#include <string>
#include <vector>

#include "input/diagnostic.hpp"
#include "units/parse.hpp"

namespace mansard {

class Arguments {
 public:
  explicit Arguments(std::string command) : command_(std::move(command)), options_("Options") {}

  Arguments& flag(const char* name, const char* help);                         ///< "cold" or "verbose,v"
  Arguments& value(const char* name, const char* help);                        ///< at most once
  Arguments& list(const char* name, const char* help);                         ///< may be repeated
  Arguments& operands(const char* name, std::size_t least, std::size_t most);  ///< words without a dash

  /// InputError on unknown, abbreviated, repeated or incomplete options and on a wrong number of operands.
  void parse(const std::vector<std::string>& words);

  [[nodiscard]] bool has(const std::string& name) const { return found_.count(name) > 0; }
  [[nodiscard]] std::optional<std::string> text(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& name) const;
  [[nodiscard]] const std::vector<std::string>& operands() const { return operands_; }
  [[nodiscard]] std::string help() const;

  /// The value through a parser of units/parse.hpp; nullopt if the option is absent.
  template <class T>
  [[nodiscard]] std::optional<T> parsed(const std::string& name, Parsed<T> (*parser)(std::string_view)) const {
    const auto found = text(name);
    if (!found) return std::nullopt;
    const Parsed<T> result = parser(*found);
    if (const T* value = std::get_if<T>(&result)) return *value;
    throw InputError({"--" + name}, "'" + *found + "': " + std::get<std::string>(result));
  }
  /// A whole number within [low, high].
  [[nodiscard]] std::optional<std::int64_t> count(const std::string& name, std::int64_t low, std::int64_t high) const;
  /// One of `words`.
  [[nodiscard]] std::string choice(const std::string& name, const std::vector<std::string>& words,
                                   const std::string& fallback) const;

 private:
  std::string command_;
  boost::program_options::options_description options_;
  boost::program_options::variables_map found_;
  std::vector<std::string> names_, flags_, operands_;
  std::string operand_name_;
  std::size_t least_ = 0, most_ = 0;
};

}  // namespace mansard
