// The recursive-descent parser, one object for expressions, declarations and statements (a .cpp each).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workload/language/ast.hpp"

namespace mansard {

class Parser {
 public:
  /// `tokens` ends with TokenKind::end.
  Parser(const std::string& file, const std::vector<Token>& tokens, Diagnostics& diagnostics)
      : file_(file), tokens_(tokens), diagnostics_(diagnostics) {}

  std::vector<ast::Statement> statements_to_end();
  ast::Expression expression();  ///< throws Stop after reporting
  void expect_end();

  /// Thrown after a mistake was reported; caught where parsing resumes, at the next statement.
  struct Stop {};
  /// Brackets, unary operators or blocks nested too deep: nothing that follows can be trusted.
  struct TooDeep {};

 private:
  // cursor
  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(pos_ + ahead, tokens_.size() - 1)];
  }
  [[nodiscard]] bool at(std::string_view text, std::size_t ahead = 0) const {
    return peek(ahead).text == text && peek(ahead).kind != TokenKind::end;
  }
  [[nodiscard]] bool at_end() const { return peek().kind == TokenKind::end; }
  const Token& take();
  bool take(std::string_view text);
  /// `context` completes "expected ';' …": "after the assignment".
  const Token& expect(std::string_view text, std::string_view context);
  std::string expect_name(std::string_view what);
  [[noreturn]] void stop(const Token& token, std::string message, std::string hint = {});
  [[nodiscard]] static std::string found(const Token& token);
  void report(Place at, std::string message, std::string hint = {});
  void resume();

  // expressions
  ast::Expression conditional();
  ast::Expression binary(int least_precedence);
  ast::Expression unary();
  ast::Expression postfix();
  ast::Expression name_or_call();
  ast::Expression cast();
  [[nodiscard]] ast::Expression node(ast::Expression::Kind kind, Place at, std::vector<ast::Expression> operands);

  // declarations
  [[nodiscard]] bool at_type(std::size_t ahead = 0) const;
  ast::Type type();
  ast::Statement declaration();
  ast::Declarator declarator();
  std::vector<ast::Expression> extents();
  ast::Initialiser initialiser();

  // statements
  void statement_into(std::vector<ast::Statement>& list);
  void statement(std::vector<ast::Statement>& list);
  std::vector<ast::Statement> body();
  ast::Statement assignment();
  ast::Assignment assignment_expression();
  ast::Statement for_loop();
  void for_init(ast::For& loop);
  void for_step(ast::For& loop);
  ast::Statement if_else();
  std::optional<double> ratio();
  [[nodiscard]] bool at_function() const;
  ast::Statement function();
  void function_parameters(std::vector<ast::Statement>& list);
  void refuse_keyword();

  /// Counts the nesting of the parser itself, which is what uses the stack.
  class Nested {
   public:
    explicit Nested(Parser& parser);
    ~Nested() { --parser_.nesting_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    Parser& parser_;
  };

  const std::string& file_;
  const std::vector<Token>& tokens_;
  Diagnostics& diagnostics_;
  std::size_t pos_ = 0;
  unsigned nesting_ = 0;
  unsigned open_ = 0;    ///< round brackets open in the current statement
  bool in_for_ = false;  ///< in the header of a for loop, where ';' ends no statement
};

}  // namespace mansard
