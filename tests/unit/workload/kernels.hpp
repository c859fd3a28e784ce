// Shorthand of the workload tests: C text to kernel, and the mistakes of a text as lines.
#pragma once

#include <string>
#include <vector>

#include "workload/elaborate/elaborate.hpp"
#include "workload/language/parser.hpp"

namespace mansard {

inline SourceText source(const std::string& text) { return {"t.c", text, 1, 0}; }

inline Kernel kernel_of(const std::string& text, const Bindings& bindings = {}) {
  return elaborate(parse_code(source(text)), bindings);
}
inline Kernel kernel_of(const std::string& text, const Parameters& parameters) {
  return kernel_of(text, Bindings{parameters, {}, std::nullopt, {}});
}

/// The mistakes that make_it() throws, "line:column: message" each.
template <class Make>
std::vector<std::string> mistakes(Make&& make_it) {
  std::vector<std::string> list;
  try {
    make_it();
  } catch (const InputError& error) {
    for (const Diagnostic& d : error.diagnostics()) {
      list.push_back(std::to_string(d.at.line) + ":" + std::to_string(d.at.column) + ": " + d.message);
    }
  }
  return list;
}
inline std::vector<std::string> mistakes_of(const std::string& text, const Bindings& bindings = {}) {
  return mistakes([&] { kernel_of(text, bindings); });
}
/// The first mistake, or "none".
inline std::string mistake_of(const std::string& text, const Bindings& bindings = {}) {
  const auto list = mistakes_of(text, bindings);
  return list.empty() ? "none" : list[0];
}
inline Bindings with(const Parameters& parameters) { return {parameters, {}, std::nullopt, {}}; }
inline IndexData table(std::vector<std::int32_t> values) {
  return std::make_shared<const std::vector<std::int32_t>>(std::move(values));
}

inline const Loop& loop(const Node& node) { return std::get<Loop>(node.is); }
inline const Statement& statement(const Node& node) { return std::get<Statement>(node.is); }

/// All statements of a kernel in order.
inline std::vector<Statement> statements(const Kernel& kernel) {
  std::vector<Statement> list;
  visit_nodes(kernel.nests, [&](const Node& node) {
    if (const auto* s = std::get_if<Statement>(&node.is)) list.push_back(*s);
  });
  return list;
}

}  // namespace mansard
