#include "schedule/grammar.hpp"

#include <algorithm>
#include <cctype>

namespace mansard {
namespace {

constexpr std::size_t longest_schedule = 1U << 16U;  // characters; nobody writes a longer one by hand

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_value(char c) { return is_word(c) || c == '.' || c == '*' || c == '+' || c == '-' || c == ' '; }

class Parser {
 public:
  explicit Parser(const SourceText& source) : source_(source) {}

  std::vector<StepCall> run() {
    if (source_.text.size() > longest_schedule) {
      throw InputError(source_.at(0),
                       "the schedule is longer than " + std::to_string(longest_schedule) + " characters");
    }
    std::vector<StepCall> steps;
    for (skip_blanks(); position_ < source_.text.size(); skip_blanks()) {
      if (peek() == ';') {
        ++position_;
        continue;
      }
      step(steps);
    }
    diagnostics_.throw_if_any();
    return steps;
  }

 private:
  [[nodiscard]] char peek() const { return position_ < source_.text.size() ? source_.text[position_] : '\0'; }
  void skip_blanks() {
    while (std::isspace(static_cast<unsigned char>(peek())) != 0) ++position_;
  }
  std::string word() {
    const std::size_t start = position_;
    while (is_word(peek())) ++position_;
    return source_.text.substr(start, position_ - start);
  }
  [[nodiscard]] std::string found() const {
    return position_ < source_.text.size() ? "'" + std::string(1, peek()) + "'" : std::string("the end");
  }
  /// Reports and goes on behind the next ';', so that one mistake does not hide the next step's.
  void fail(const std::string& message) {
    diagnostics_.add(source_.at(position_), message + ", found " + found());
    position_ = std::min(source_.text.find(';', position_), source_.text.size());
  }

  void step(std::vector<StepCall>& steps) {
    const std::size_t start = position_;
    StepCall call;
    call.at = source_.at(start);
    call.name = word();
    if (call.name.empty()) return fail("expected a step such as tile(j:32)");
    skip_blanks();
    if (peek() == '(') {  // `scalar` may stand alone
      ++position_;
      skip_blanks();
      while (peek() != ')') {
        if (!argument(call)) return;
        skip_blanks();
        if (peek() == ',') {
          ++position_;
          skip_blanks();
          if (peek() == ')') return fail("expected an argument after ','");
        } else if (peek() != ')') {
          return fail("expected ',' or ')' in the arguments of " + call.name);
        }
      }
      ++position_;
    }
    for (std::size_t i = start; i < position_; ++i) {
      const char c = source_.text[i];
      const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
      if (!blank) call.text += c;
      if (blank && !call.text.empty() && call.text.back() != ' ') call.text += ' ';
    }
    while (!call.text.empty() && call.text.back() == ' ') call.text.pop_back();
    skip_blanks();
    if (peek() != ';' && position_ < source_.text.size()) return fail("expected ';' after " + call.name);
    steps.push_back(std::move(call));
  }

  std::string value() {
    const std::size_t start = position_;
    while (is_value(peek())) ++position_;
    std::string text = source_.text.substr(start, position_ - start);
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
  }

  bool argument(StepCall& call) {
    Argument argument;
    argument.at = argument.value_at = source_.at(position_);
    argument.value = value();
    if (argument.value.empty()) return fail("expected an argument of " + call.name), false;
    skip_blanks();
    if (peek() == ':') {
      ++position_;
      skip_blanks();
      argument.key = std::move(argument.value);
      argument.value_at = source_.at(position_);
      argument.value = value();
      if (argument.value.empty()) return fail("expected a value after '" + argument.key + ":'"), false;
    }
    if (const std::size_t as = argument.value.find(" as "); as != std::string::npos) {
      argument.alias = argument.value.substr(as + 4);
      argument.value.resize(as);
    }
    call.arguments.push_back(std::move(argument));
    return true;
  }

  const SourceText& source_;
  std::size_t position_ = 0;
  Diagnostics diagnostics_;
};

}  // namespace

std::vector<StepCall> parse_schedule(const SourceText& text) { return Parser(text).run(); }

}  // namespace mansard
