// Arrays, constant tables and scalars.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "workload/elaborate/elaborator.hpp"
#include "workload/elaborate/ranges.hpp"

namespace mansard {
namespace {
constexpr std::size_t most_names = 60'000;
constexpr Int largest_table = 1 << 20;
}  // namespace

void Elaborator::declaration(const ast::Declaration& d) {
  for (const ast::Declarator& one : d.declarators) {
    try {
      if (one.extents.empty() && one.initial && !one.initial->value) {
        fail(one.initial->at, fmt::format("'{}' is no array: expected one value, found a list in braces", one.name));
      }
      if (!one.extents.empty()) {
        one.initial ? table(d, one) : array(d, one);
      } else {
        const bool data = is_float(d.type.element) || facts_.integers.data.contains(one.name);
        data ? real_scalar(d, one) : integer_scalar(d, one);
      }
    } catch (const InputError& error) {
      report(error);
      scope_.declare(one.name, {one.at, false, BrokenName{}});
    }
  }
}

std::vector<Int> Elaborator::extents(const ast::Declarator& one) {
  std::vector<Int> sizes;
  constexpr std::size_t most_dimensions = 16;
  if (one.extents.size() > most_dimensions)
    fail(one.at, fmt::format("'{}' has more than {} dimensions", one.name, most_dimensions));
  for (const Expression& e : one.extents) {
    sizes.push_back(constant(e, fmt::format("the size of '{}'", one.name)));
    if (sizes.back() < 1) {
      fail(e.at, fmt::format("'{}' has the size {}: {}", one.name, sizes.back(),
                             sizes.back() < 0 ? "a negative bound, expected at least 1" : "expected at least 1"));
    }
  }
  return sizes;
}

void Elaborator::array(const ast::Declaration& d, const ast::Declarator& one) {
  Array a;
  a.name = one.name;
  a.type = d.type.element;
  a.at = unit_.position(one.at);
  a.extents = extents(one);
  a.padding.assign(a.extents.size(), 0);
  a.is_private = loops_ > 0;
  Int bytes = bytes_of(a.type);
  for (std::size_t i = 0; i < a.extents.size(); ++i) {
    a.order.push_back(static_cast<std::uint8_t>(i));
    if (__builtin_mul_overflow(bytes, a.extents[i], &bytes) || bytes > largest_data) {
      fail(one.at, fmt::format("'{}' has more than 2^47 bytes", one.name));
    }
  }
  bytes_ += bytes;
  if (bytes_ > largest_data) fail(one.at, fmt::format("with '{}' the arrays have more than 2^47 bytes", one.name));
  if (const auto bound = bindings_.tables.find(one.name); bound != bindings_.tables.end() && !a.is_private) {
    const Int elements = bytes / bytes_of(a.type);
    if (is_float(a.type))
      fail(one.at, fmt::format("the data supply integers for '{}': expected an integer type such as int", one.name));
    if (elements != static_cast<Int>(bound->second->size())) {
      fail(one.at, fmt::format("'{}' is declared with {} elements, the data supply {}", one.name, elements,
                               bound->second->size()));
    }
    a.data = bound->second;
  }
  if (kernel_.arrays.size() >= most_names) fail(one.at, fmt::format("more than {} arrays", most_names));
  declare(one.name, {one.at, d.type.is_const, ArrayName{static_cast<ArrayId>(kernel_.arrays.size())}});
  kernel_.arrays.push_back(std::move(a));
}

/// `const int cx[19] = {0, 1, -1, …};`
void Elaborator::table(const ast::Declaration& d, const ast::Declarator& one) {
  if (facts_.assigned.contains(one.name)) {
    fail(one.at, fmt::format("'{}' has initial values and is written: declare it without them", one.name));
  }
  TableName t{d.type.element, extents(one), {}, nullptr, std::nullopt};
  Int elements = 1;
  for (const Int extent : t.extents) {
    if (__builtin_mul_overflow(elements, extent, &elements) || elements > largest_table) {
      fail(one.at, fmt::format("the table '{}' has more than {} values", one.name, largest_table));
    }
  }
  if (one.initial->value) fail(one.initial->at, fmt::format("'{}' is an array: expected a list in braces", one.name));
  t.reals.assign(static_cast<std::size_t>(elements), 0.0);  // what the list leaves out is zero, as in C
  table_values(*one.initial, t.extents, 0, 0, t);
  if (!is_float(t.type)) {
    std::vector<std::int32_t> integers(t.reals.begin(), t.reals.end());
    t.integers = std::make_shared<const std::vector<std::int32_t>>(std::move(integers));
    t.reals.clear();
  }
  declare(one.name, {one.at, true, std::move(t)});
}

void Elaborator::table_values(const ast::Initialiser& list, const std::vector<Int>& extents, std::size_t dimension,
                              std::size_t begin, TableName& t) {
  std::size_t row = 1;
  for (std::size_t d = dimension + 1; d < extents.size(); ++d) row *= static_cast<std::size_t>(extents[d]);
  // A flat list fills a table of any dimension: `int c[2][2] = {1, 2, 3, 4}`.
  const bool flat = std::ranges::all_of(list.items, [](const ast::Initialiser& i) { return i.value.has_value(); });
  const std::size_t room = static_cast<std::size_t>(extents[dimension]) * (flat ? row : 1);
  if (list.items.size() > room)
    fail(list.at, fmt::format("{} values in braces: expected at most {}", list.items.size(), room));
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const ast::Initialiser& item = list.items[i];
    if (!flat && dimension + 1 == extents.size()) fail(item.at, "more braces than the table has dimensions");
    if (!flat && item.value) fail(item.at, "expected a list in braces, as for the other rows");
    if (!flat) {
      table_values(item, extents, dimension + 1, begin + i * row, t);
    } else if (is_float(t.type)) {
      const Value v = value(*item.value);
      if (v.op != Op::number) fail(item.at, "expected a number");
      t.reals[begin + i] = v.number;
    } else {
      const Int v = constant(*item.value, "a value of the table");
      if (v < std::numeric_limits<std::int32_t>::min() || v > std::numeric_limits<std::int32_t>::max()) {
        fail(item.at, fmt::format("{} does not fit into 32 bits", v));
      }
      t.reals[begin + i] = static_cast<double>(v);
    }
  }
}

void Elaborator::integer_scalar(const ast::Declaration& d, const ast::Declarator& one) {
  const bool changes = facts_.assigned.contains(one.name);
  if (changes && d.type.is_const) fail(one.at, fmt::format("'{}' is const and is written", one.name));
  if (!changes && !one.initial) {
    const Symbol* outer = scope_.find(one.name);  // `int N;` in a Kerncraft kernel names a parameter
    if (!outer || !std::holds_alternative<ConstantName>(outer->is)) {
      declare(one.name, {one.at, false, VariableName{new_slot(one.name, {0, 0}, one.at), false, std::nullopt}});
    }
    return;
  }
  if (changes) {
    constexpr Int far = Int{1} << 40;  // the check of the subscripts follows its values one by one
    const Slot slot = new_slot(one.name, {-far, far}, one.at);
    changes_[slot] = true;
    declare(one.name, {one.at, false, VariableName{slot, false, std::nullopt}});
    if (one.initial) assign_index(symbol(one.name, one.at), Assign::set, *one.initial->value, one.at);
    return;
  }
  Reads reads;
  Quasi q = integer(*one.initial->value, reads);
  if (q.is_constant()) return declare(one.name, {one.at, true, ConstantName{q.constant}});
  bool uses_variable = false;
  visit_slots(q, [&](Slot slot) { uses_variable = uses_variable || changes_[slot]; });
  for (Define& read : reads) emit({std::move(read)});
  if (uses_variable) {  // what it holds must not change with the variable
    const Slot slot = new_slot(one.name, range(q, ranges_), one.at);
    emit({Define{slot, std::nullopt, {std::move(q)}, unit_.position(one.at)}});
    q = Quasi::of_slot(slot);
  }
  declare(one.name, {one.at, true, IndexName{std::move(q)}});
}

void Elaborator::real_scalar(const ast::Declaration& d, const ast::Declarator& one) {
  const bool changes = facts_.assigned.contains(one.name);
  if (changes && d.type.is_const) fail(one.at, fmt::format("'{}' is const and is written", one.name));
  const auto label = facts_.labels.find(&one);
  std::optional<double> initial;
  if (one.initial) {
    const Value v = value(*one.initial->value);
    if (v.op == Op::number) initial = v.number;
    if (initial && !changes) return declare(one.name, {one.at, true, NumberName{*initial}});
  }
  if (kernel_.scalars.size() >= most_names) fail(one.at, fmt::format("more than {} scalars", most_names));
  const auto id = static_cast<ScalarId>(kernel_.scalars.size());
  kernel_.scalars.push_back({one.name, d.type.element, loops_ > 0, loops_ > 0 ? std::nullopt : initial});
  declare(one.name, {one.at, d.type.is_const, ScalarName{id}});
  if (one.initial && label != facts_.labels.end()) assign(label->second, id, Assign::set, *one.initial->value, one.at);
}

}  // namespace mansard
