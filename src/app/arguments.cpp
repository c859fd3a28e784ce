#include "app/arguments.hpp"

#include <boost/program_options/parsers.hpp>
#include <boost/program_options/positional_options.hpp>
#include <sstream>

namespace mansard {
namespace po = boost::program_options;
namespace {

/// "verbose,v" to "verbose".
std::string long_name(const std::string& name) { return name.substr(0, name.find(',')); }

}  // namespace

Arguments& Arguments::flag(const char* name, const char* help) {
  names_.push_back("--" + long_name(name));
  options_.add_options()(name, help);
  return *this;
}
Arguments& Arguments::value(const char* name, const char* help) {
  names_.push_back("--" + long_name(name));
  options_.add_options()(name, po::value<std::string>()->value_name("…"), help);
  return *this;
}
Arguments& Arguments::list(const char* name, const char* help) {
  names_.push_back("--" + long_name(name));
  options_.add_options()(name, po::value<std::vector<std::string>>()->value_name("…"), help);
  return *this;
}
Arguments& Arguments::operands(const char* name, std::size_t least, std::size_t most) {
  operand_name_ = name;
  least_ = least;
  most_ = most;
  return *this;
}

void Arguments::parse(const std::vector<std::string>& words) {
  options_.add_options()("help,h", "show this text");
  po::options_description all;
  all.add(options_);
  all.add_options()("operand", po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add("operand", -1);
  try {
    po::command_line_parser parser(words);
    parser.options(all).positional(positional);
    parser.style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing);
    po::store(parser.run(), found_);
  } catch (const po::unknown_option& e) {
    const std::string name = e.get_option_name();
    throw InputError({command_}, "unknown option '" + name + "'", suggest(name, names_));
  } catch (const po::error& e) {
    throw InputError({command_}, e.what());
  }
  if (found_.count("operand") > 0) operands_ = found_["operand"].as<std::vector<std::string>>();
  if (has("help")) return;
  if (operands_.size() < least_) throw InputError({command_}, operand_name_ + " is missing");
  if (operands_.size() > most_) throw InputError({command_}, "unexpected argument '" + operands_[most_] + "'");
}

std::optional<std::string> Arguments::text(const std::string& name) const {
  if (!has(name)) return std::nullopt;
  return found_[name].as<std::string>();
}

std::vector<std::string> Arguments::texts(const std::string& name) const {
  if (!has(name)) return {};
  return found_[name].as<std::vector<std::string>>();
}

std::optional<std::int64_t> Arguments::count(const std::string& name, std::int64_t low, std::int64_t high) const {
  const auto value = parsed<std::int64_t>(name, parse_integer);
  if (value && (*value < low || *value > high)) {
    throw InputError({"--" + name}, "expected a whole number from " + std::to_string(low) + " to " +
                                        std::to_string(high) + ", found " + std::to_string(*value));
  }
  return value;
}

std::string Arguments::choice(const std::string& name, const std::vector<std::string>& words,
                              const std::string& fallback) const {
  const auto value = text(name);
  if (!value) return fallback;
  for (const std::string& word : words) {
    if (*value == word) return word;
  }
  throw InputError({"--" + name}, "'" + *value + "' is not one of " + join(words), suggest(*value, words));
}

std::string Arguments::help() const {
  std::ostringstream text;
  text << options_;
  return text.str();
}

}  // namespace mansard
