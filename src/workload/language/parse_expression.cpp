#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "workload/language/parser_state.hpp"

namespace mansard {
namespace {

using ast::Expression;
using ast::Operator;
using Kind = Expression::Kind;

struct Binary {
  std::string_view text;
  Operator op;
  int precedence;
};
constexpr std::array<Binary, 13> binaries{{{"||", Operator::logical_or, 1},
                                           {"&&", Operator::logical_and, 2},
                                           {"==", Operator::equal, 3},
                                           {"!=", Operator::not_equal, 3},
                                           {"<", Operator::less, 4},
                                           {"<=", Operator::less_equal, 4},
                                           {">", Operator::greater, 4},
                                           {">=", Operator::greater_equal, 4},
                                           {"+", Operator::add, 5},
                                           {"-", Operator::subtract, 5},
                                           {"*", Operator::multiply, 6},
                                           {"/", Operator::divide, 6},
                                           {"%", Operator::modulo, 6}}};

const Binary* find_binary(const Token& token) {
  if (token.kind != TokenKind::punctuator) return nullptr;
  const auto* place = std::ranges::find(binaries, token.text, &Binary::text);
  return place == binaries.end() ? nullptr : place;
}

}  // namespace

Expression Parser::node(Kind kind, Place at, std::vector<Expression> operands) {
  Expression e;
  e.kind = kind;
  e.at = at;
  for (const Expression& operand : operands) e.depth = std::max(e.depth, operand.depth + 1);
  if (e.depth > ast::deepest_expression) {
    report(at, fmt::format("this expression is deeper than {} operations: split it", ast::deepest_expression));
    throw Stop{};
  }
  e.operands = std::move(operands);
  return e;
}

Expression Parser::expression() {
  const Nested nested(*this);
  return conditional();
}

void Parser::expect_end() {
  if (!at_end()) stop(peek(), fmt::format("expected an operator or the end, found {}", found(peek())));
}

Expression Parser::conditional() {
  Expression condition = binary(1);
  if (!at("?")) return condition;
  const Place at = take().at;
  std::vector<Expression> operands;
  operands.push_back(std::move(condition));
  operands.push_back(expression());
  expect(":", "between the two values of '?'");
  operands.push_back(expression());
  return node(Kind::conditional, at, std::move(operands));
}

/// Precedence climbing: operators of the same precedence associate to the left.
Expression Parser::binary(int least_precedence) {
  Expression left = unary();
  while (const Binary* found_binary = find_binary(peek())) {
    if (found_binary->precedence < least_precedence) break;
    const Place at = take().at;
    std::vector<Expression> operands;
    operands.push_back(std::move(left));
    operands.push_back(binary(found_binary->precedence + 1));
    left = node(Kind::binary, at, std::move(operands));
    left.op = found_binary->op;
  }
  return left;
}

Expression Parser::unary() {
  const Token& token = peek();
  if (token.kind == TokenKind::punctuator && (token.text == "-" || token.text == "+" || token.text == "!")) {
    const Nested nested(*this);
    take();
    Expression operand = unary();
    if (token.text == "+") return operand;
    std::vector<Expression> operands;
    operands.push_back(std::move(operand));
    Expression e = node(Kind::unary, token.at, std::move(operands));
    e.op = token.text == "-" ? Operator::negate : Operator::logical_not;
    return e;
  }
  if (token.text == "*" || token.text == "&")
    stop(token, fmt::format("pointers are not supported: found '{}'", token.text));
  if (token.text == "(" && at_type(1)) return cast();
  return postfix();
}

Expression Parser::cast() {
  const Nested nested(*this);
  const Place at = take().at;
  const ast::Type to = type();
  expect(")", "after the type of the cast");
  std::vector<Expression> operands;
  operands.push_back(unary());
  Expression e = node(Kind::cast, at, std::move(operands));
  e.text = c_name(to.element);
  return e;
}

Expression Parser::postfix() {
  const Token& token = peek();
  Expression e;
  e.at = token.at;
  if (token.kind == TokenKind::name) return name_or_call();
  if (token.kind == TokenKind::integer) {
    e.kind = Kind::integer;
    const bool hexadecimal = token.text.size() > 2 && (token.text[1] == 'x' || token.text[1] == 'X');
    const char* begin = token.text.data() + (hexadecimal ? 2 : 0);
    const auto result = std::from_chars(begin, token.text.data() + token.text.size(), e.integer, hexadecimal ? 16 : 10);
    if (result.ec != std::errc()) stop(token, fmt::format("{} does not fit into 64 bits", found(token)));
    take();
    return e;
  }
  if (token.kind == TokenKind::real) {
    e.kind = Kind::real;
    const auto result = std::from_chars(token.text.data(), token.text.data() + token.text.size(), e.real);
    if (result.ec != std::errc() || !std::isfinite(e.real))
      stop(token, fmt::format("{} is not a finite number", found(token)));
    take();
    return e;
  }
  if (token.text == "(") {
    take();
    e = expression();
    expect(")", "to close the bracket");
    return e;
  }
  stop(token, fmt::format("expected a value, found {}", found(token)));
}

Expression Parser::name_or_call() {
  const Token& token = peek();
  const bool element = token.text == "sizeof" || token.text == "NULL";
  if (element || at_type()) stop(token, fmt::format("expected a value, found {}", found(token)));
  take();
  std::vector<Expression> operands;
  Kind kind = Kind::name;
  if (at("[")) {
    kind = Kind::subscript;
    while (take("[")) {
      operands.push_back(expression());
      expect("]", "after the subscript");
    }
  } else if (take("(")) {
    kind = Kind::call;
    if (!at(")")) {
      do {
        operands.push_back(expression());
      } while (take(","));
    }
    expect(")", fmt::format("after the arguments of {}", token.text));
  }
  if (at(".") || at("->")) stop(peek(), "structures are not supported: use one array for each member");
  Expression e = node(kind, token.at, std::move(operands));
  e.text = std::string(token.text);
  return e;
}

}  // namespace mansard
