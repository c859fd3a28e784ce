// Workload files: YAML around the C of a loop nest, or a bare .c file; and the way from there to a Kernel.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "input/yaml.hpp"
#include "workload/kernel.hpp"

namespace mansard {

/// An integer expression of the parameters before it.
struct ParameterDefault {
  std::string name;
  SourceText value;
};

/// A schedule of `schedules`: a variant that --variant and `compare` know by its name.
struct NamedSchedule {
  std::string name;
  std::vector<SourceText> steps;
};

struct WorkloadFile {
  std::string id;    ///< stem of the file: "jacobi-3d-7pt"
  std::string name;  ///< for people; the id where the file gives none
  std::string description;
  std::vector<ParameterDefault> parameters;
  YamlNode data;  ///< the map under `data`, or null
  SourceText code;
  std::vector<SourceText> schedule;  ///< steps as text (src/schedule knows their grammar)
  std::vector<NamedSchedule> schedules;
  std::optional<std::string> update;
  Position update_at;
  std::filesystem::path folder;  ///< paths under `data` are relative to it
};

/// Keys of a .yaml: name, description, source, parameters, data, code, schedule, schedules, update. Any other extension
/// is read as C. InputError with all mistakes of the YAML; the code is not looked at yet.
WorkloadFile load_workload(const std::filesystem::path& file);
WorkloadFile parse_workload(const std::string& text, const std::string& name);  ///< YAML; `name` is used in positions

/// -D N=512: name and value, which is an integer or an expression of earlier parameters.
using Definitions = std::vector<std::pair<std::string, std::string>>;
/// Splits "N=512". InputError if there is no '=' or the name is not one of C.
std::pair<std::string, std::string> parse_definition(const std::string& text);

/// A workload whose code has been parsed, for kernels of several sizes.
class ParsedWorkload {
 public:
  explicit ParsedWorkload(const WorkloadFile& workload);  ///< which has to live as long as this
  ~ParsedWorkload();
  /// Evaluates the parameters (definitions replace defaults, a -D may also name what the code alone uses), makes the
  /// data and elaborates the code. InputError with positions.
  [[nodiscard]] Kernel kernel(const Definitions& definitions) const;

 private:
  struct Code;
  const WorkloadFile& workload_;
  std::unique_ptr<const Code> code_;
};
/// One of them.
Kernel make_kernel(const WorkloadFile& workload, const Definitions& definitions = {});

}  // namespace mansard
