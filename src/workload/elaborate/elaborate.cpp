#include "workload/elaborate/elaborate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "workload/elaborate/bounds_check.hpp"
#include "workload/elaborate/elaborator.hpp"
#include "workload/elaborate/finish.hpp"
#include "workload/language/parser.hpp"

namespace mansard {

Kernel elaborate(const ast::Unit& unit, const Bindings& bindings) {
  Kernel kernel = Elaborator(unit, bindings).run();
  remove_unused_defines(kernel);
  if (bindings.update) mark_updates(kernel, *bindings.update, bindings.update_at);
  check_bounds(kernel);
  return kernel;
}

Int evaluate(const SourceText& expression, const Parameters& parameters) {
  const ast::Unit unit{expression.file, {}, {}};
  const Bindings bindings{parameters, {}, std::nullopt, {}};
  return Elaborator(unit, bindings).evaluate(parse_expression(expression));
}

Elaborator::Elaborator(const ast::Unit& unit, const Bindings& bindings)
    : unit_(unit), bindings_(bindings), facts_(facts_of(unit)) {}

Kernel Elaborator::run() {
  parameters();
  missing_parameters();
  scope_.enter();
  statements(unit_.body);
  diagnostics_.throw_if_any();
  if (kernel_.nests.empty()) {
    throw InputError({unit_.file, 0, 0}, "the code has no statement that runs: nothing to simulate");
  }
  return std::move(kernel_);
}

Int Elaborator::evaluate(const Expression& e) {
  parameters();
  return constant(e, "the value");
}

void Elaborator::parameters() {
  for (const auto& [name, value] : bindings_.parameters) {
    scope_.declare(name, {{}, true, ConstantName{value}});
    kernel_.parameters.emplace_back(name, value);
  }
  for (const ast::Constant& c : unit_.constants) {
    if (scope_.find(c.name)) continue;  // given from outside, or defined twice
    try {
      const Value v = value(c.value);
      if (v.op != Op::number) fail(c.value.at, fmt::format("'{}' is not a constant", c.name));
      if (is_index(c.value)) {
        scope_.declare(c.name, {c.at, true, ConstantName{constant(c.value, c.name)}});
        kernel_.parameters.emplace_back(c.name, constant(c.value, c.name));
      } else {
        scope_.declare(c.name, {c.at, true, NumberName{v.number}});
      }
    } catch (const InputError& error) {
      report(error);
    }
  }
  diagnostics_.throw_if_any();
}

void Elaborator::missing_parameters() {
  std::vector<std::pair<Place, std::string>> missing;
  for (const auto& [name, place] : facts_.sizes) {
    if (!scope_.find(name)) missing.emplace_back(place, name);
  }
  if (missing.empty()) return;
  std::ranges::sort(missing, [](const auto& a, const auto& b) {
    return std::pair(a.first.line, a.first.column) < std::pair(b.first.line, b.first.column);
  });
  std::vector<std::string> names, options;
  for (const auto& [place, name] : missing) {
    names.push_back(name);
    options.push_back("-D " + name + "=…");
  }
  constexpr std::size_t telling = 3;  // M for N is no misspelling
  std::string hint =
      names.size() == 1 && names[0].size() >= telling ? suggest(names[0], scope_.names()) : std::string();
  if (hint.empty()) hint = "give " + join(options);
  fail(missing[0].first,
       fmt::format("{} without a value: {}", names.size() == 1 ? "a parameter" : "parameters", join(names)), hint);
}

void Elaborator::fail(Place at, std::string message, std::string hint) const {
  throw InputError({Diagnostic{unit_.position(at), {}, std::move(message), std::move(hint)}});
}

void Elaborator::fail_unknown(const std::string& name, Place at) {
  fail(at, fmt::format("'{}' is not declared", name), suggest(name, scope_.names()));
}

Symbol& Elaborator::symbol(const std::string& name, Place at) {
  Symbol* s = scope_.find(name);
  if (!s) fail_unknown(name, at);
  if (std::holds_alternative<BrokenName>(s->is)) throw InputError(std::vector<Diagnostic>{});
  return *s;
}

void Elaborator::declare(const std::string& name, Symbol symbol) {
  const Place at = symbol.at;
  if (scope_.declare(name, std::move(symbol))) return;
  fail(at, fmt::format("'{}' is declared twice, first in line {}", name, scope_.find(name)->at.line));
}

/// The copies of an unrolled statement make the same mistake; it is reported once.
void Elaborator::report(const InputError& error) {
  for (const Diagnostic& d : error.diagnostics()) {
    const auto same = [&](const Diagnostic& other) {
      return other.at.line == d.at.line && other.at.column == d.at.column;
    };
    const bool known = std::ranges::any_of(diagnostics_.list(), same);
    if (!known && diagnostics_.list().size() < most_diagnostics) diagnostics_.add(d);
  }
}

void Elaborator::count_node(Place at) {
  constexpr std::uint64_t most_nodes = 1'000'000;
  if (++nodes_ > most_nodes)
    fail(at, fmt::format("the loop nest has more than {} operations after unrolling", most_nodes));
}

}  // namespace mansard
