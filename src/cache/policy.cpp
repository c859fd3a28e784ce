#include "cache/policy.hpp"

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

}  // namespace mansard
