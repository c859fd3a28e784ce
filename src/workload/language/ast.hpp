// The syntax tree of the C subset, as written: names are not resolved, parameters have no values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "workload/kernel.hpp"
#include "workload/language/lexer.hpp"

namespace mansard::ast {

enum class Operator : std::uint8_t {
  none,
  add,
  subtract,
  multiply,
  divide,
  modulo,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  logical_not,
  negate
};
const char* spelling(Operator op);

struct Expression {
  enum class Kind : std::uint8_t { integer, real, name, subscript, unary, binary, conditional, call, cast };
  Kind kind = Kind::integer;
  Operator op = Operator::none;
  Place at;  ///< of an operator for binary expressions, else of the first token
  Int integer = 0;
  double real = 0;
  std::string text;                  ///< name of the variable, array or function; type of a cast
  std::vector<Expression> operands;  ///< subscripts, arguments, operands; condition, then, else
  std::uint32_t depth = 1;           ///< of the tree; at most `deepest_expression`
};
/// Chains such as a+a+a+… are trees as deep as they are long, and everything that follows recurses over them.
inline constexpr std::uint32_t deepest_expression = 1000;

struct Type {
  ElementType element = ElementType::f64;
  bool is_const = false;
};

struct Initialiser {
  Place at;
  std::optional<Expression> value;  ///< else a list in braces
  std::vector<Initialiser> items;
};

struct Declarator {
  Place at;
  std::string name;
  std::vector<Expression> extents;  ///< empty for a scalar
  std::optional<Initialiser> initial;
};

struct Declaration {
  Place at;
  Type type;
  std::vector<Declarator> declarators;
};

struct Assignment {
  Place at;
  Expression target;  ///< a name or a subscript
  Assign assign = Assign::set;
  Expression value;  ///< 1 for ++ and --
};

struct Statement;

struct For {
  Place at;
  std::string variable;
  bool declares = false;  ///< for (int i = …
  Expression start, condition;
  Expression step;  ///< the amount, its sign apart
  bool downwards = false;
  std::vector<Statement> body;
};

struct If {
  Place at;
  Expression condition;
  std::optional<double> ratio;  ///< the comment `ratio 0.3` after the condition
  std::vector<Statement> then, otherwise;
};

/// A block, or the body of the enclosing function.
struct Block {
  std::vector<Statement> body;
};

struct Statement {
  std::variant<Declaration, Assignment, For, If, Block> is;
};

/// `#define NAME value`: a parameter with a default.
struct Constant {
  std::string name;
  Place at;
  Expression value;
};

struct Unit {
  std::string file;
  std::vector<Constant> constants;
  std::vector<Statement> body;
  [[nodiscard]] Position position(Place at) const { return {file, at.line, at.column}; }
};

}  // namespace mansard::ast
