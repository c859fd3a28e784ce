// The state of one elaboration; its parts are in integers.cpp, constants.cpp, conditions.cpp, values.cpp,
// declarations.cpp, loops.cpp, statements.cpp and branches.cpp.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workload/elaborate/elaborate.hpp"
#include "workload/elaborate/facts.hpp"
#include "workload/elaborate/scope.hpp"

namespace mansard {

class Elaborator {
 public:
  Elaborator(const ast::Unit& unit, const Bindings& bindings);
  Kernel run();
  Int evaluate(const ast::Expression& e);  ///< with the parameters as the only names

 private:
  using Expression = ast::Expression;
  using Reads = std::vector<Define>;
  using Dnf = std::vector<Conjunction>;  ///< any of them; empty is false, an empty conjunction is true

  // messages (elaborate.cpp)
  [[noreturn]] void fail(Place at, std::string message, std::string hint = {}) const;
  [[noreturn]] void fail_unknown(const std::string& name, Place at);
  Symbol& symbol(const std::string& name, Place at);
  void declare(const std::string& name, Symbol symbol);
  void report(const InputError& error);
  void count_node(Place at);
  void parameters();
  void missing_parameters();

  // integers.cpp: index arithmetic
  Quasi integer(const Expression& e, Reads& reads);
  Quasi integer_binary(const Expression& e, Reads& reads);
  Quasi integer_division(const Expression& e, const Quasi& numerator, const Quasi& divisor);
  Quasi integer_call(const Expression& e, Reads& reads);
  Quasi integer_name(const Expression& e);
  Quasi read_index(const Expression& e, Reads& reads);
  Quasi checked(Quasi q, Place at) const;
  Int constant(const Expression& e, std::string_view what);
  std::optional<bool> always(const Expression& condition);
  ArrayId materialise(TableName& table, const std::string& name, Place at);
  Slot new_slot(const std::string& name, Interval range, Place at);
  bool is_index(const Expression& e);

  // constants.cpp
  std::optional<Int> constant_value(const Expression& e);
  std::optional<Int> constant_operation(const Expression& e);
  std::optional<std::size_t> flat_position(const TableName& table, const Expression& e);

  // conditions.cpp
  bool is_data(const Expression& e);
  Dnf condition(const Expression& e, bool negated, Reads& reads);
  Dnf comparison(const Expression& e, bool negated, Reads& reads);
  [[nodiscard]] Dnf negation(const Dnf& dnf, Place at) const;
  [[nodiscard]] Dnf all_of(const Dnf& a, const Dnf& b, Place at) const;
  [[nodiscard]] Dnf any_of(Dnf a, const Dnf& b, Place at) const;
  [[nodiscard]] Dnf simplified(const Conjunction& conjunction) const;

  // values.cpp: floating point arithmetic
  Value value(const Expression& e);
  Value value_name(const Expression& e);
  Value value_element(const Expression& e);
  Value value_call(const Expression& e);
  Value value_binary(const Expression& e);
  Access access(ArrayId array, const Expression& e);
  std::vector<Quasi> subscripts(ArrayId array, const Expression& e, Reads& reads);

  // declarations.cpp
  void declaration(const ast::Declaration& d);
  void array(const ast::Declaration& d, const ast::Declarator& one);
  void table(const ast::Declaration& d, const ast::Declarator& one);
  void integer_scalar(const ast::Declaration& d, const ast::Declarator& one);
  void real_scalar(const ast::Declaration& d, const ast::Declarator& one);
  std::vector<Int> extents(const ast::Declarator& one);
  void table_values(const ast::Initialiser& list, const std::vector<Int>& extents, std::size_t dimension,
                    std::size_t begin, TableName& table);

  // loops.cpp
  struct Bounds {
    std::vector<Quasi> lower, upper;
    Reads reads;
    Int step = 1;
  };
  void loop(const ast::For& loop);
  void unroll(const ast::For& loop, Int first, Int last, Int step);
  Bounds bounds(const ast::For& loop);
  void add_condition(const ast::For& loop, const Expression& condition, Bounds& bounds);
  std::vector<Quasi> bound_list(const Expression& e, bool smallest, Reads& reads);
  void check_bounds_stay(const ast::For& loop, const Bounds& bounds);
  bool selects_registers(const ast::For& loop);

  // statements.cpp
  void statements(const std::vector<ast::Statement>& list);
  void statement(const ast::Statement& s);
  void assignment(const ast::Assignment& a);
  void assign(const std::string& label, const std::variant<ScalarId, Access>& target, Assign how, const Expression& e,
              Place at);
  void assign_index(Symbol& symbol, Assign how, const Expression& e, Place at);
  void define_index(VariableName& variable, Quasi q, Reads reads, Place at);
  void forget(const std::set<std::string>& names);
  void emit(Node node);

  // branches.cpp
  void branch(const Expression& condition, const ast::If& branch);
  void exact_branch(const Expression& condition, const ast::If& branch);
  void data_branch(const Expression& condition, const ast::If& branch);
  void block(const std::vector<ast::Statement>& list);
  void guarded(Guard guard, const std::function<void()>& body);
  Dnf snapshot(Dnf dnf, const std::vector<ast::Statement>& before, Place at);

  const ast::Unit& unit_;
  const Bindings& bindings_;
  Facts facts_;
  Kernel kernel_;
  Scope scope_;
  Diagnostics diagnostics_;
  std::vector<Node>* out_ = &kernel_.nests;  ///< where statements go
  std::vector<Interval> ranges_;             ///< of each slot
  std::vector<bool> changes_;                ///< slots of VariableName
  std::map<ArrayId, Interval> contents_;     ///< range of an index array's data, once computed
  unsigned loops_ = 0;                       ///< around the current statement, unrolled ones included
  unsigned unrolled_ = 0;                    ///< of these, unrolled
  static constexpr Int most_copies = 100'000;
  Int copies_ = 0;           ///< iterations unrolled and statements visited in them
  std::uint64_t nodes_ = 0;  ///< expression nodes made
  std::uint32_t sites_ = 0;
  Int bytes_ = 0;  ///< of all arrays in memory
};

}  // namespace mansard
