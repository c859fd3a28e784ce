// Parameters, data and code of a workload to its kernel.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "workload/data/bind.hpp"
#include "workload/elaborate/facts.hpp"
#include "workload/language/parser.hpp"
#include "workload/load.hpp"

namespace mansard {
namespace {

/// -D names what the file has as a parameter, or what its code uses without declaring it.
void check_names(const WorkloadFile& workload, const Definitions& definitions, const ast::Unit& unit,
                 const Facts& facts) {
  std::vector<std::string> accepted;
  for (const ParameterDefault& p : workload.parameters) accepted.push_back(p.name);
  const auto accept = [&](const std::string& name) {
    if (std::ranges::find(accepted, name) == accepted.end()) accepted.push_back(name);
  };
  for (const auto& [name, place] : facts.open) accept(name);
  for (const ast::Constant& c : unit.constants) accept(c.name);
  Diagnostics diagnostics;
  std::set<std::string> seen;
  for (const auto& [name, value] : definitions) {
    const Position at{"-D " + name + "=" + value, 0, 0};
    if (std::ranges::find(accepted, name) == accepted.end()) {
      diagnostics.add({at,
                       {},
                       fmt::format("{} has no parameter '{}': it has {}", workload.id, name,
                                   accepted.empty() ? "none" : join(accepted)),
                       suggest(name, accepted)});
    } else if (!seen.insert(name).second) {
      diagnostics.add(at, fmt::format("the parameter '{}' is given twice", name));
    }
  }
  diagnostics.throw_if_any();
}

Parameters evaluate_parameters(const WorkloadFile& workload, const Definitions& definitions) {
  Parameters parameters;
  Diagnostics diagnostics;
  const auto add = [&](const std::string& name, const SourceText& value) {
    try {
      parameters.emplace_back(name, evaluate(value, parameters));
    } catch (const InputError& error) {
      for (Diagnostic d : error.diagnostics()) {
        if (d.key.empty() && d.at.line > 0) d.key = "parameters." + name;
        diagnostics.add(std::move(d));
      }
      parameters.emplace_back(name, 1);  // so that those that depend on it are not reported too
    }
  };
  const auto given = [&](const std::string& name) {
    return std::ranges::find(definitions, name, &std::pair<std::string, std::string>::first);
  };
  const auto source = [](const std::string& name, const std::string& value) {
    return SourceText{"-D " + name + "=" + value, value, 0, 0};
  };
  for (const ParameterDefault& p : workload.parameters) {
    const auto definition = given(p.name);
    add(p.name, definition == definitions.end() ? p.value : source(p.name, definition->second));
  }
  for (const auto& [name, value] : definitions) {
    const bool known =
        std::ranges::find(workload.parameters, name, &ParameterDefault::name) != workload.parameters.end();
    if (!known) add(name, source(name, value));
  }
  diagnostics.throw_if_any();
  return parameters;
}

}  // namespace

struct ParsedWorkload::Code {
  ast::Unit unit;
  Facts facts;
  explicit Code(ast::Unit parsed) : unit(std::move(parsed)), facts(facts_of(unit)) {}
};

ParsedWorkload::ParsedWorkload(const WorkloadFile& workload)
    : workload_(workload), code_(std::make_unique<const Code>(parse_code(workload.code))) {}
ParsedWorkload::~ParsedWorkload() = default;

Kernel ParsedWorkload::kernel(const Definitions& definitions) const {
  check_names(workload_, definitions, code_->unit, code_->facts);
  Bindings bindings{evaluate_parameters(workload_, definitions), {}, workload_.update, workload_.update_at};
  if (workload_.data.type != YamlNode::Type::null)
    bind_data(workload_.data, workload_.folder, code_->facts.declared, bindings);
  Kernel kernel = elaborate(code_->unit, bindings);
  kernel.name = workload_.id;
  return kernel;
}

Kernel make_kernel(const WorkloadFile& workload, const Definitions& definitions) {
  return ParsedWorkload(workload).kernel(definitions);
}

}  // namespace mansard
