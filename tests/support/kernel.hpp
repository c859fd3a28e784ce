// Kernels from C text, for tests.
#pragma once

#include <string>

#include "schedule/step.hpp"
#include "stream/lower.hpp"
#include "workload/load.hpp"

namespace mansard {

/// `data` is YAML as under `data:` in a workload file.
inline Kernel kernel_of(const std::string& code, const Definitions& definitions = {}, const std::string& data = "",
                        const std::string& schedule = "") {
  WorkloadFile file;
  file.id = file.name = "test";
  file.code = SourceText{"test.c", code, 1, 0};
  if (!data.empty()) file.data = parse_yaml(data, "test.yaml");
  Kernel kernel = make_kernel(file, definitions);
  apply_schedule(kernel, parse_schedule({"--schedule", schedule, 1, 0}));
  return kernel;
}

/// What is said when a kernel or its schedule is refused; empty if it is not.
inline std::string refusal_of(const std::string& code, const std::string& schedule, const std::string& data = "") {
  try {
    kernel_of(code, {}, data, schedule);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace mansard
