#include "workload/language/parser.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "workload/language/parser_state.hpp"

namespace mansard {
namespace {
constexpr std::size_t largest_source = std::size_t{1} << 20;
constexpr unsigned deepest_nesting = 200;

void check_size(const SourceText& source) {
  if (source.text.size() <= largest_source) return;
  throw InputError(Position{source.file, source.first_line, 1},
                   fmt::format("the code has {} bytes, more than the {} accepted", source.text.size(), largest_source));
}
}  // namespace

const Token& Parser::take() {
  const Token& token = peek();
  if (token.kind != TokenKind::end) ++pos_;
  if (token.text == "(") ++open_;
  if (token.text == ")" && open_ > 0) --open_;
  return token;
}

bool Parser::take(std::string_view text) {
  if (!at(text)) return false;
  take();
  return true;
}

const Token& Parser::expect(std::string_view text, std::string_view context) {
  if (at(text)) return take();
  const std::string message = fmt::format("expected '{}' {}, found {}", text, context, found(peek()));
  const bool forgotten = text == ";" && !in_for_ && pos_ > 0 && tokens_[pos_ - 1].at.line < peek().at.line;
  if (!forgotten) stop(peek(), message);
  report(peek().at, message);  // at the end of a line: the next line is a statement of its own
  return peek();
}

std::string Parser::expect_name(std::string_view what) {
  if (peek().kind != TokenKind::name) stop(peek(), fmt::format("expected {}, found {}", what, found(peek())));
  return std::string(take().text);
}

std::string Parser::found(const Token& token) {
  constexpr std::size_t longest = 40;
  if (token.kind == TokenKind::end) return "the end of the code";
  return fmt::format("'{}'{}", token.text.substr(0, longest), token.text.size() > longest ? "…" : "");
}

void Parser::report(Place at, std::string message, std::string hint) {
  if (diagnostics_.list().size() >= most_diagnostics) return;
  diagnostics_.add({{file_, at.line, at.column}, {}, std::move(message), std::move(hint)});
}

void Parser::stop(const Token& token, std::string message, std::string hint) {
  report(token.at, std::move(message), std::move(hint));
  throw Stop{};
}

Parser::Nested::Nested(Parser& parser) : parser_(parser) {
  if (parser.nesting_ >= deepest_nesting) {
    parser.report(parser.peek().at, fmt::format("nested deeper than {} levels", deepest_nesting));
    throw TooDeep{};
  }
  ++parser.nesting_;
}

/// After a mistake: to the end of the header of a `for`, or else past the next ';' or block of this statement.
void Parser::resume() {
  const bool header = std::exchange(in_for_, false);
  unsigned open = std::exchange(open_, 0);
  unsigned blocks = 0;
  for (; !at_end(); ++pos_) {
    const std::string_view text = peek().text;
    if (header && open > 0) {
      open += text == "(" ? 1 : 0;
      open -= text == ")" ? 1 : 0;
      if (open == 0 && text == ")") return void(++pos_);
      if (text == "{") return;
    } else if (text == ";" && blocks == 0) {
      return void(++pos_);
    } else if (text == "{") {
      ++blocks;
    } else if (text == "}" && blocks > 0) {
      if (--blocks == 0) return void(++pos_);
    }
    if (text == "}" && blocks == 0) return;
  }
}

ast::Unit parse_code(const SourceText& source) {
  check_size(source);
  Diagnostics diagnostics;
  const Tokens tokens = tokenize(source, diagnostics);
  ast::Unit unit{source.file, {}, {}};
  for (const Macro& macro : tokens.macros) {
    Diagnostics unheard;  // a macro that is no expression is none of ours; its use will be an undeclared name
    try {
      Parser parser(source.file, macro.body, unheard);
      ast::Expression value = parser.expression();
      parser.expect_end();
      unit.constants.push_back({macro.name, macro.at, std::move(value)});
    } catch (const Parser::Stop&) {
      continue;
    } catch (const Parser::TooDeep&) {
      continue;
    }
  }
  try {
    unit.body = Parser(source.file, tokens.list, diagnostics).statements_to_end();
  } catch (const Parser::TooDeep&) {
    diagnostics.throw_if_any();
  }
  diagnostics.throw_if_any();
  return unit;
}

ast::Expression parse_expression(const SourceText& source) {
  check_size(source);
  Diagnostics diagnostics;
  const Tokens tokens = tokenize(source, diagnostics);
  diagnostics.throw_if_any();
  ast::Expression value;
  try {
    Parser parser(source.file, tokens.list, diagnostics);
    value = parser.expression();
    parser.expect_end();
  } catch (const Parser::Stop&) {
    diagnostics.throw_if_any();
  } catch (const Parser::TooDeep&) {
    diagnostics.throw_if_any();
  }
  return value;
}

}  // namespace mansard
