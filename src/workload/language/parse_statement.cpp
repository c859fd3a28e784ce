#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "workload/language/parser_state.hpp"

namespace mansard {
namespace {

struct Refused {
  std::string_view keyword, message, hint;
};
constexpr std::array<Refused, 9> refused{{
    {"while", "'while' is not supported: its number of iterations is not known",
     "use a for loop, perhaps with bounds read from an index array"},
    {"do", "'do' is not supported: its number of iterations is not known",
     "use a for loop, perhaps with bounds read from an index array"},
    {"goto", "'goto' is not supported", ""},
    {"switch", "'switch' is not supported", "use if and else"},
    {"break", "'break' is not supported: loops run to their bounds", ""},
    {"continue", "'continue' is not supported", "put the rest of the body under an if"},
    {"return", "'return' is not supported", "leave it out: the loop nest alone is simulated"},
    {"struct", "structures are not supported", "use one array for each member"},
    {"else", "'else' without an 'if' before it", ""},
}};

constexpr std::array<std::pair<std::string_view, Assign>, 5> assigns{{{"=", Assign::set},
                                                                      {"+=", Assign::add},
                                                                      {"-=", Assign::subtract},
                                                                      {"*=", Assign::multiply},
                                                                      {"/=", Assign::divide}}};

ast::Expression one(Place at) {
  ast::Expression e;
  e.at = at;
  e.integer = 1;
  return e;
}

}  // namespace

std::vector<ast::Statement> Parser::statements_to_end() {
  std::vector<ast::Statement> list;
  while (!at_end()) {
    if (at("}")) {
      report(take().at, "'}' without a '{' before it");
      continue;
    }
    statement_into(list);
  }
  return list;
}

void Parser::statement_into(std::vector<ast::Statement>& list) {
  try {
    open_ = 0;
    statement(list);
  } catch (const Stop&) {
    resume();
  }
}

void Parser::statement(std::vector<ast::Statement>& list) {
  const Nested nested(*this);
  refuse_keyword();
  if (take(";")) return;
  if (at("{")) {
    list.push_back({ast::Block{body()}});
  } else if (at("for")) {
    list.push_back(for_loop());
  } else if (at("if")) {
    list.push_back(if_else());
  } else if (at_function()) {
    list.push_back(function());
  } else if (at_type()) {
    list.push_back(declaration());
  } else {
    list.push_back(assignment());
  }
}

void Parser::refuse_keyword() {
  for (const Refused& r : refused) {
    if (at(r.keyword)) stop(peek(), std::string(r.message), std::string(r.hint));
  }
}

/// A block in braces or a single statement.
std::vector<ast::Statement> Parser::body() {
  std::vector<ast::Statement> list;
  if (!at("{")) {
    if (at_end() || at("}")) stop(peek(), fmt::format("expected a statement, found {}", found(peek())));
    statement_into(list);
    return list;
  }
  const Place opened = take().at;
  while (!at("}")) {
    if (at_end())
      stop(peek(), fmt::format("expected '}}' to close the block of line {}, found the end of the code", opened.line));
    statement_into(list);
  }
  take();
  return list;
}

ast::Statement Parser::assignment() {
  ast::Assignment a = assignment_expression();
  expect(";", "after the assignment");
  return {std::move(a)};
}

ast::Assignment Parser::assignment_expression() {
  ast::Assignment a;
  a.at = peek().at;
  if (at("++") || at("--")) {
    a.assign = take().text == "++" ? Assign::add : Assign::subtract;
    a.target = postfix();
    a.value = one(a.at);
  } else {
    if (peek().kind != TokenKind::name) stop(peek(), fmt::format("expected a statement, found {}", found(peek())));
    a.target = postfix();
    const Token& sign = peek();
    if (sign.text == "++" || sign.text == "--") {
      a.assign = take().text == "++" ? Assign::add : Assign::subtract;
      a.value = one(sign.at);
    } else {
      const auto* place = std::ranges::find(assigns, sign.text, &std::pair<std::string_view, Assign>::first);
      if (a.target.kind == ast::Expression::Kind::call) {
        report(a.at,
               fmt::format("a call of {} alone does nothing that is simulated: expected an assignment", a.target.text));
        throw Stop{};
      }
      if (place == assigns.end()) {
        stop(sign,
             fmt::format("expected '=', '+=', '-=', '*=' or '/=' after {}, found {}", a.target.text, found(sign)));
      }
      take();
      a.assign = place->second;
      a.value = expression();
    }
  }
  if (a.target.kind != ast::Expression::Kind::name && a.target.kind != ast::Expression::Kind::subscript) {
    report(a.at, "only a variable or an array element can be assigned to");
    throw Stop{};
  }
  return a;
}

ast::Statement Parser::for_loop() {
  ast::For loop;
  loop.at = take().at;
  in_for_ = true;
  expect("(", "after 'for'");
  for_init(loop);
  loop.condition = expression();
  expect(";", "after the condition of the loop");
  for_step(loop);
  expect(")", "after the step of the loop");
  in_for_ = false;
  loop.body = body();
  return {std::move(loop)};
}

void Parser::for_init(ast::For& loop) {
  if (at_type()) {
    type();
    loop.declares = true;
  }
  loop.variable = expect_name("the loop variable, as in for (int i = 0; …");
  expect("=", "after the loop variable");
  loop.start = expression();
  expect(";", "after the start of the loop");
}

void Parser::for_step(ast::For& loop) {
  const Token& first = peek();
  if (first.text == ")") stop(first, "expected a step such as ++i or i += 2, found ')'");
  ast::Assignment step = assignment_expression();
  using Kind = ast::Expression::Kind;
  if (step.target.kind != Kind::name || step.target.text != loop.variable) {
    stop(first, fmt::format("expected a step of {}, such as ++{}, found one of {}", loop.variable, loop.variable,
                            step.target.text));
  }
  if (step.assign == Assign::set && step.value.kind == Kind::binary && step.value.operands[0].kind == Kind::name &&
      step.value.operands[0].text == loop.variable &&
      (step.value.op == ast::Operator::add || step.value.op == ast::Operator::subtract)) {  // i = i + 2
    step.assign = step.value.op == ast::Operator::add ? Assign::add : Assign::subtract;
    ast::Expression amount = std::move(step.value.operands[1]);
    step.value = std::move(amount);
  }
  if (step.assign != Assign::add && step.assign != Assign::subtract) {
    stop(first,
         fmt::format("expected a step such as ++{0} or {0} += 2: loops run over equal distances", loop.variable));
  }
  loop.downwards = step.assign == Assign::subtract;
  loop.step = std::move(step.value);
}

ast::Statement Parser::if_else() {
  ast::If branch;
  branch.at = take().at;
  expect("(", "after 'if'");
  branch.condition = expression();
  expect(")", "after the condition");
  branch.ratio = ratio();
  branch.then = body();
  if (take("else")) branch.otherwise = body();
  return {std::move(branch)};
}

/// `/* ratio 0.3 */` stands between the condition and its branch, so it is the comment before the current token.
std::optional<double> Parser::ratio() {
  const Token& token = peek();
  std::string_view text = token.comment;
  const auto trim = [&text] {
    while (!text.empty() && std::string_view(" \t\r\n*").find(text.front()) != std::string_view::npos)
      text.remove_prefix(1);
    while (!text.empty() && std::string_view(" \t\r\n*").find(text.back()) != std::string_view::npos)
      text.remove_suffix(1);
  };
  trim();
  if (!text.starts_with("ratio")) return std::nullopt;
  text.remove_prefix(5);
  trim();
  double value = -1;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() || !(value >= 0 && value <= 1)) {
    report(token.comment_at,
           fmt::format("expected a ratio from 0 to 1, as in /* ratio 0.3 */, found '{}'", text.substr(0, 40)));
    return 0.0;
  }
  return value;
}

bool Parser::at_function() const {
  std::size_t ahead = 0;
  while (at_type(ahead) || at("*", ahead)) ++ahead;
  return ahead > 0 && peek(ahead).kind == TokenKind::name && at("(", ahead + 1);
}

/// void f(double a[N], int n) { … }: its block, with the arrays among its parameters declared.
ast::Statement Parser::function() {
  if (nesting_ > 1) stop(peek(), "a function inside a block is not C");
  while (at_type() || at("*")) take();
  take();
  ast::Block block;
  function_parameters(block.body);
  if (take(";")) return {ast::Block{}};
  if (!at("{"))
    stop(peek(), fmt::format("expected '{{' after the parameters of the function, found {}", found(peek())));
  std::vector<ast::Statement> inner = body();
  block.body.insert(block.body.end(), std::make_move_iterator(inner.begin()), std::make_move_iterator(inner.end()));
  return {std::move(block)};
}

/// Pointers and arrays of unknown size declare nothing; integers are parameters of the workload.
void Parser::function_parameters(std::vector<ast::Statement>& list) {
  expect("(", "after the name of the function");
  while (!at(")")) {
    ast::Declaration declaration;
    declaration.at = peek().at;
    declaration.type = type();
    bool known = true;
    while (at("*") || at_type()) known = take().text != "*" && known;
    if (peek().kind == TokenKind::name) {
      ast::Declarator d;
      d.at = peek().at;
      d.name = std::string(take().text);
      if (at("[") && at("]", 1)) {
        known = false;
        take(), take();
      }
      d.extents = extents();
      const bool is_parameter = d.extents.empty() && !is_float(declaration.type.element);
      declaration.declarators.push_back(std::move(d));
      if (known && !is_parameter) list.push_back({std::move(declaration)});
    }
    if (!take(",")) break;
  }
  expect(")", "after the parameters of the function");
}

}  // namespace mansard
