#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "workload/language/parser_state.hpp"

namespace mansard {
namespace {

struct Word {
  std::string_view text;
  ElementType element;
};
constexpr std::array<Word, 15> types{{{"double", ElementType::f64},
                                      {"float", ElementType::f32},
                                      {"_Float16", ElementType::f16},
                                      {"int", ElementType::i32},
                                      {"long", ElementType::i64},
                                      {"short", ElementType::i16},
                                      {"char", ElementType::i8},
                                      {"size_t", ElementType::i64},
                                      {"ptrdiff_t", ElementType::i64},
                                      {"int64_t", ElementType::i64},
                                      {"uint64_t", ElementType::i64},
                                      {"int32_t", ElementType::i32},
                                      {"uint32_t", ElementType::i32},
                                      {"int16_t", ElementType::i16},
                                      {"int8_t", ElementType::i8}}};
constexpr std::array<std::string_view, 12> qualifiers{"const",        "static",   "restrict", "__restrict",
                                                      "__restrict__", "volatile", "register", "extern",
                                                      "inline",       "unsigned", "signed",   "void"};

const Word* find_type(std::string_view text) {
  const auto* place = std::ranges::find(types, text, &Word::text);
  return place == types.end() ? nullptr : place;
}
bool is_qualifier(std::string_view text) { return std::ranges::find(qualifiers, text) != qualifiers.end(); }

}  // namespace

bool Parser::at_type(std::size_t ahead) const {
  return peek(ahead).kind == TokenKind::name && (find_type(peek(ahead).text) || is_qualifier(peek(ahead).text));
}

/// Words in any order, as C has them: `unsigned long const`, `static const double`, `long int`.
ast::Type Parser::type() {
  ast::Type result;
  const Token& first = peek();
  bool named = false;
  while (at_type()) {
    const std::string_view text = take().text;
    if (text == "const") result.is_const = true;
    if (text == "void") named = true;
    if (text == "unsigned" || text == "signed") {
      if (!named) result.element = ElementType::i32;
      named = true;
    }
    if (const Word* word = find_type(text)) {
      const bool keeps_length = word->element == ElementType::i32 && named && result.element != ElementType::f64;
      if (!keeps_length) result.element = word->element;  // `long int` stays long
      named = true;
    }
  }
  if (!named) stop(first, fmt::format("expected a type such as double or int, found {}", found(peek())));
  return result;
}

ast::Statement Parser::declaration() {
  ast::Declaration declaration;
  declaration.at = peek().at;
  const bool is_void = at("void");
  declaration.type = type();
  if (is_void) stop(peek(), "expected a function after 'void'");
  do {
    declaration.declarators.push_back(declarator());
  } while (take(","));
  expect(";", "after the declaration");
  return {std::move(declaration)};
}

ast::Declarator Parser::declarator() {
  if (at("*")) {
    stop(peek(), "pointers are not supported: declare the array with its sizes", "as in double a[M][N]");
  }
  ast::Declarator d;
  d.at = peek().at;
  d.name = expect_name("a name");
  d.extents = extents();
  if (take("=")) d.initial = initialiser();
  return d;
}

std::vector<ast::Expression> Parser::extents() {
  std::vector<ast::Expression> sizes;
  while (take("[")) {
    while (at("restrict") || at("static") || at("const")) take();
    if (at("]")) stop(peek(), "expected the size of the array, found ']'");
    sizes.push_back(expression());
    expect("]", "after the size of the array");
  }
  return sizes;
}

ast::Initialiser Parser::initialiser() {
  const Nested nested(*this);
  ast::Initialiser result;
  result.at = peek().at;
  if (!take("{")) {
    result.value = expression();
    return result;
  }
  while (!at("}")) {
    result.items.push_back(initialiser());
    if (!take(",")) break;
  }
  expect("}", "after the values");
  return result;
}

}  // namespace mansard
