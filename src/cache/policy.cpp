#include "cache/policy.hpp"

#include "input/diagnostic.hpp"

namespace mansard {

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const Policy* policy : all_policies()) names.emplace_back(policy->name);
  return names;
}

const Policy* find_policy(std::string_view name) {
  for (const Policy* policy : all_policies()) {
    if (name == policy->name) return policy;
  }
  return nullptr;
}

Replacement find_replacement(std::string_view text) {
  if (const Policy* policy = find_policy(text)) return {policy, {}};
  for (const Policy* policy : all_policies()) {
    const std::string start = std::string(policy->name) + "-";
    if (text.starts_with(start) && text.size() > start.size()) return {policy, std::string(text.substr(start.size()))};
  }
  return {};
}

std::string check_replacement(std::string_view text, std::uint32_t ways) {
  const auto [policy, parameters] = find_replacement(text);
  const std::string found = "'" + std::string(text) + "'";
  if (policy == nullptr) return "unknown replacement " + found + ", accepted: " + join(policy_names());
  if (policy->check == nullptr) return parameters.empty() ? "" : found + ": there are no parameters";
  const std::string wrong = policy->check(parameters, ways);
  return wrong.empty() ? "" : found + ": " + wrong;
}

}  // namespace mansard
