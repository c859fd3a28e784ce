#include "workload/load.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "input/file.hpp"

namespace mansard {
namespace {

bool is_identifier(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto other = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && letter(name[0]) && std::ranges::all_of(name, other);
}

void read_parameters(Reader& reader, WorkloadFile& workload, const std::string& raw) {
  const YamlNode* map = reader.optional("parameters");
  if (!map || map->type == YamlNode::Type::null) return;
  if (map->type != YamlNode::Type::map)
    return reader.mistake(map->at, "parameters", "expected a map of names to values");
  for (const auto& [name, value] : map->pairs) {
    if (!is_identifier(name)) {
      reader.mistake(value.key_at, "parameters", fmt::format("'{}' is not a name of C", name));
    } else if (value.type != YamlNode::Type::scalar) {
      reader.mistake(value.at, "parameters." + name, "expected an integer or an expression of earlier parameters");
    } else {
      workload.parameters.push_back({name, source_of(value, raw)});
    }
  }
}

/// `schedule: step` or `schedule: [step, step]`
std::vector<SourceText> read_steps(Reader& reader, const YamlNode& node, const std::string& key,
                                   const std::string& raw) {
  std::vector<SourceText> steps;
  if (node.type == YamlNode::Type::scalar) steps.push_back(source_of(node, raw));
  if (node.type == YamlNode::Type::map) reader.mistake(node.at, key, "expected a step or a list of steps");
  for (const YamlNode& step : node.items) {
    if (step.type == YamlNode::Type::scalar) {
      steps.push_back(source_of(step, raw));
    } else {
      reader.mistake(step.at, key, "expected a step such as tile(k:8, j:32); quote steps with commas in a list");
    }
  }
  return steps;
}

void read_schedules(Reader& reader, WorkloadFile& workload, const std::string& raw) {
  if (const YamlNode* node = reader.optional("schedule"))
    workload.schedule = read_steps(reader, *node, "schedule", raw);
  const YamlNode* named = reader.optional("schedules");
  if (!named || named->type == YamlNode::Type::null) return;
  if (named->type != YamlNode::Type::map)
    return reader.mistake(named->at, "schedules", "expected a map of names to lists of steps");
  for (const auto& [name, steps] : named->pairs)
    workload.schedules.push_back({name, read_steps(reader, steps, "schedules." + name, raw)});
}

}  // namespace

WorkloadFile parse_workload(const std::string& text, const std::string& name) {
  const YamlNode root = parse_yaml(text, name);
  if (root.type != YamlNode::Type::map)
    throw InputError({name, 1, 1}, "expected a map with the keys name, parameters, code, …");
  WorkloadFile workload;
  const std::filesystem::path file = name;
  workload.id = file.stem().string();
  workload.folder = file.parent_path();
  Diagnostics diagnostics;
  Reader reader(root, "", diagnostics);
  workload.name = reader.text("name", workload.id);
  workload.description = reader.text("description", "");
  reader.text("source", "");
  read_parameters(reader, workload, text);
  if (const YamlNode* data = reader.optional("data")) workload.data = *data;
  if (const YamlNode* code = reader.required("code")) {
    if (code->type == YamlNode::Type::scalar) {
      workload.code = source_of(*code, text);
    } else {
      reader.mistake(code->at, "code", "expected C text, as in code: |");
    }
  }
  read_schedules(reader, workload, text);
  if (const YamlNode* update = reader.optional("update")) {
    workload.update = reader.text("update", "");
    workload.update_at = update->at;
  }
  reader.finish();
  diagnostics.throw_if_any();
  return workload;
}

WorkloadFile load_workload(const std::filesystem::path& file) {
  const std::string text = read_text(file);
  if (file.extension() == ".yaml" || file.extension() == ".yml") return parse_workload(text, file.string());
  WorkloadFile workload;
  workload.id = workload.name = file.stem().string();
  workload.folder = file.parent_path();
  workload.code = {file.string(), text, 1, 0};
  return workload;
}

std::pair<std::string, std::string> parse_definition(const std::string& text) {
  const std::size_t equals = text.find('=');
  const Position at{"-D " + text, 0, 0};
  if (equals == std::string::npos) throw InputError(at, "expected name=value, as in -D N=512");
  const std::string name = text.substr(0, equals);
  if (!is_identifier(name)) throw InputError(at, fmt::format("'{}' is not a name of C", name));
  return {name, text.substr(equals + 1)};
}

}  // namespace mansard
