// What a name means at a place of the text.
#pragma once

#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <variant>
#include <vector>

#include "workload/kernel.hpp"
#include "workload/language/lexer.hpp"

namespace mansard {

/// A parameter, an integer that never changes, or the variable of an unrolled loop.
struct ConstantName {
  Int value;
};
/// A real number that never changes: a constant of the expression, as for the compiler.
struct NumberName {
  double value;
};
/// Constants in braces. Becomes an array (index data or coefficients in memory) when a subscript is not a constant.
struct TableName {
  ElementType type;
  std::vector<Int> extents;
  std::vector<double> reals;  ///< floating point types
  IndexData integers;         ///< integer types
  std::optional<ArrayId> array;
};
struct ArrayName {
  ArrayId id;
};
struct ScalarName {
  ScalarId id;
};
struct LoopName {
  Slot slot;
};
/// An integer that is given its value once: `int c = col[p];`.
struct IndexName {
  Quasi value;
};
/// An integer that statements change: `p = next[p]`. Its slot always holds the value; where straight-line text makes
/// the value a known expression of other slots, subscripts use that instead, so that they stay affine.
struct VariableName {
  Slot slot;
  bool has_value = false;
  std::optional<Quasi> known;
};

/// Declared with a mistake that is reported already: its uses are not reported again.
struct BrokenName {};

struct Symbol {
  Place at;
  bool is_const = false;
  std::variant<ConstantName, NumberName, TableName, ArrayName, ScalarName, LoopName, IndexName, VariableName,
               BrokenName>
      is;
};

class Scope {
 public:
  Scope() { enter(); }
  void enter() { blocks_.emplace_back(); }
  void leave() { blocks_.pop_back(); }

  /// False if the innermost block declares the name already.
  bool declare(const std::string& name, Symbol symbol) {
    return blocks_.back().emplace(name, std::move(symbol)).second;
  }
  /// The innermost declaration, or null.
  Symbol* find(const std::string& name) {
    for (auto& block : std::views::reverse(blocks_)) {
      if (const auto place = block.find(name); place != block.end()) return &place->second;
    }
    return nullptr;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const auto& block : blocks_) {
      for (const auto& [name, symbol] : block) list.push_back(name);
    }
    return list;
  }
  template <class Visitor>
  void for_each(Visitor&& visitor) {
    for (auto& block : blocks_) {
      for (auto& [name, symbol] : block) visitor(name, symbol);
    }
  }

 private:
  std::vector<std::map<std::string, Symbol>> blocks_;
};

}  // namespace mansard
