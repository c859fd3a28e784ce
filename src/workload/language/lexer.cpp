#include "workload/language/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mansard {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

constexpr std::array<std::string_view, 20> two_characters{"++", "--", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=",
                                                          ">=", "&&", "||", "<<", ">>", "->", "&=", "|=", "^=", "::"};
constexpr std::string_view one_character = "+-*/%=<>!(){}[];,?:&|^~.";

class Lexer {
 public:
  Lexer(const SourceText& source, Diagnostics& diagnostics)
      : source_(source), text_(source.text), diagnostics_(diagnostics), line_(source.first_line) {}

  Tokens run() {
    Tokens tokens;
    while (skip_blanks(true), pos_ < text_.size()) {
      if (text_[pos_] == '#') {
        directive(tokens.macros);
      } else {
        token(tokens.list);
      }
    }
    finish(tokens.list);
    return tokens;
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0';
  }
  [[nodiscard]] Place place() const {
    if (!source_.exact) return {source_.first_line, source_.indent + 1};
    return {line_, static_cast<std::uint32_t>(pos_ - line_start_) + 1 + source_.indent};
  }
  void newline() {
    ++pos_, ++line_;
    line_start_ = pos_;
  }
  void mistake(Place at, std::string message) {
    ++mistakes_;
    if (diagnostics_.list().size() < most_diagnostics) {
      diagnostics_.add({source_.file, at.line, at.column}, std::move(message));
    }
  }

  void skip_blanks(bool across_lines) {
    while (pos_ < text_.size()) {
      const char c = text_[pos_];
      if (is_blank(c)) {
        ++pos_;
      } else if (c == '\n' && across_lines) {
        newline();
      } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
        pos_ += peek(1) == '\n' ? 1 : 2;
        newline();
      } else if (c == '/' && (peek(1) == '/' || peek(1) == '*')) {
        skip_comment();
      } else {
        return;
      }
    }
  }

  void skip_comment() {
    comment_at_ = place();
    const bool block = peek(1) == '*';
    const std::size_t begin = pos_ + 2;
    pos_ = begin;
    while (pos_ < text_.size()) {
      if (block && peek() == '*' && peek(1) == '/') break;
      if (text_[pos_] != '\n') {
        ++pos_;
      } else if (block) {
        newline();
      } else {
        break;
      }
    }
    comment_ = text_.substr(begin, pos_ - begin);
    if (!block) return;
    if (pos_ >= text_.size()) return mistake(comment_at_, "this comment does not end: expected '*/'");
    pos_ += 2;
  }

  /// `#define NAME tokens` is kept, once; conditional text is refused, since taking the wrong half would be silent;
  /// other lines that start with '#' (#include, #pragma) mean nothing to the traffic.
  void directive(std::vector<Macro>& macros) {
    ++pos_;
    skip_blanks(false);
    const Place at_directive = place();
    const std::string_view directive_name = word();
    constexpr std::array<std::string_view, 8> conditional{"if",   "ifdef", "ifndef", "else",
                                                          "elif", "endif", "error",  "undef"};
    if (std::ranges::find(conditional, directive_name) != conditional.end()) {
      mistake(at_directive,
              fmt::format("#{} is not supported: write the code as it is after preprocessing", directive_name));
    }
    const bool defines = directive_name == "define";
    skip_blanks(false);
    Macro macro{"", place(), {}};
    macro.name = defines ? std::string(word()) : std::string();
    const bool takes_arguments = peek() == '(';
    Diagnostics unheard;
    Lexer body(*this, unheard);
    while (body.skip_blanks(false), body.pos_ < text_.size() && body.peek() != '\n') body.token(macro.body);
    pos_ = body.pos_, line_ = body.line_, line_start_ = body.line_start_;
    if (macro.name.empty() || takes_arguments || macro.body.empty() || body.mistakes_ > mistakes_) return;
    if (std::ranges::find(macros, macro.name, &Macro::name) != macros.end()) {
      return mistake(macro.at, fmt::format("'{}' is defined twice", macro.name));
    }
    if (macro.body.size() > 1 && macro.body.front().text != "(" && macro.body.front().text != "-") {
      return mistake(macro.at, fmt::format("put the value of '{}' into parentheses: C pastes it as text", macro.name));
    }
    body.finish(macro.body);
    macros.push_back(std::move(macro));
  }
  Lexer(const Lexer& here, Diagnostics& diagnostics)
      : source_(here.source_),
        text_(here.text_),
        diagnostics_(diagnostics),
        pos_(here.pos_),
        line_(here.line_),
        line_start_(here.line_start_),
        mistakes_(here.mistakes_) {}

  std::string_view word() {
    const std::size_t begin = pos_;
    if (is_letter(peek())) {
      while (is_letter(peek()) || is_digit(peek())) ++pos_;
    }
    return text_.substr(begin, pos_ - begin);
  }

  void token(std::vector<Token>& list) {
    const Place at = place();
    const char c = peek();
    if (is_letter(c)) return push(list, TokenKind::name, word(), at);
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number(list, at);
    for (std::string_view two : two_characters) {
      if (text_.substr(pos_, 2) == two) {
        pos_ += 2;
        return push(list, TokenKind::punctuator, two, at);
      }
    }
    if (one_character.find(c) != std::string_view::npos) {
      ++pos_;
      return push(list, TokenKind::punctuator, text_.substr(pos_ - 1, 1), at);
    }
    const auto code = static_cast<unsigned char>(c);
    mistake(at, code > 32 && code < 127 ? fmt::format("unexpected character '{}'", c)
                                        : fmt::format("unexpected character with code {}", code));
    ++pos_;
    while (static_cast<unsigned char>(peek()) >= 128) ++pos_;  // the rest of a character outside ASCII
  }

  /// The whole "preprocessing number" is taken first, so that 1.2.3 and 3x are one mistake each.
  void number(std::vector<Token>& list, Place at) {
    const std::size_t begin = pos_;
    const bool hexadecimal = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    while (is_digit(peek()) || is_letter(peek()) || peek() == '.' ||
           ((peek() == '+' || peek() == '-') && !hexadecimal && (text_[pos_ - 1] == 'e' || text_[pos_ - 1] == 'E'))) {
      ++pos_;
    }
    const std::string_view whole = text_.substr(begin, pos_ - begin);
    std::string_view digits = whole;
    const bool real = !hexadecimal && digits.find_first_of(".eE") != std::string_view::npos;
    const std::string_view suffixes = real ? "fFlL" : "uUlL";
    while (!digits.empty() && suffixes.find(digits.back()) != std::string_view::npos) digits.remove_suffix(1);
    if (real ? !is_real(digits) : !is_integer(digits, hexadecimal)) {
      mistake(at, fmt::format("'{}' is not a number", whole.substr(0, 40)));
      digits = "0";
    } else if (!real && !hexadecimal && digits.size() > 1 && digits[0] == '0') {
      mistake(at, fmt::format("'{}' is octal in C: write it in decimal", whole.substr(0, 40)));
    }
    push(list, real ? TokenKind::real : TokenKind::integer, digits, at);
  }
  static bool is_integer(std::string_view digits, bool hexadecimal) {
    if (hexadecimal) digits.remove_prefix(2);
    return !digits.empty() &&
           digits.find_first_not_of(hexadecimal ? "0123456789abcdefABCDEF" : "0123456789") == std::string_view::npos;
  }
  static bool is_real(std::string_view digits) {
    std::size_t at = 0, mantissa = 0;
    const auto skip_digits = [&] {
      const std::size_t from = at;
      while (at < digits.size() && is_digit(digits[at])) ++at;
      return at - from;
    };
    mantissa += skip_digits();
    if (at < digits.size() && digits[at] == '.') ++at, mantissa += skip_digits();
    if (mantissa == 0) return false;
    if (at < digits.size() && (digits[at] == 'e' || digits[at] == 'E')) {
      ++at;
      if (at < digits.size() && (digits[at] == '+' || digits[at] == '-')) ++at;
      if (skip_digits() == 0) return false;
    }
    return at == digits.size();
  }

  void push(std::vector<Token>& list, TokenKind kind, std::string_view text, Place at) {
    list.push_back({kind, text, at, comment_, comment_at_});
    comment_ = {};
  }
  void finish(std::vector<Token>& list) { push(list, TokenKind::end, {}, place()); }

  const SourceText& source_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  std::size_t pos_ = 0;
  std::uint32_t line_;
  std::size_t line_start_ = 0;
  std::size_t mistakes_ = 0;
  std::string_view comment_;
  Place comment_at_;
};

}  // namespace

Tokens tokenize(const SourceText& source, Diagnostics& diagnostics) { return Lexer(source, diagnostics).run(); }

}  // namespace mansard
