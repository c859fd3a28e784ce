// C text to tokens. Comments and preprocessor lines are consumed here; `#define NAME <expression>` is kept as a
// constant.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "input/diagnostic.hpp"
#include "input/yaml.hpp"

namespace mansard {

/// Line and column in the user's file (from 1), without the file's name: tokens and trees carry many of them.
struct Place {
  std::uint32_t line = 0, column = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

enum class TokenKind : std::uint8_t { end, name, integer, real, punctuator };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  ///< into the source text; a number without its suffix
  Place at;
  std::string_view comment;  ///< the last comment before the token, without its delimiters: `/* ratio 0.3 */`
  Place comment_at;
};

/// `#define NAME body`. Macros with arguments, without a body or whose body is no tokens of C are left out.
struct Macro {
  std::string name;
  Place at;
  std::vector<Token> body;  ///< ends with TokenKind::end
};

struct Tokens {
  std::vector<Token> list;  ///< ends with TokenKind::end
  std::vector<Macro> macros;
};

/// Mistakes (unknown characters, malformed numbers, a comment that does not end) go to `diagnostics`.
/// The tokens point into `source.text`, which must outlive them.
Tokens tokenize(const SourceText& source, Diagnostics& diagnostics);

/// A text with more mistakes than this is not C; the first ones say so.
inline constexpr std::size_t most_diagnostics = 20;

}  // namespace mansard
