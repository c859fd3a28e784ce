// The schedule language: `step(argument, key: value, …); step(…)`, the same in workload files and on the command line.
#pragma once

#include <string>
#include <vector>

#include "input/yaml.hpp"

namespace mansard {

/// One argument: "b" has no key; "j: 32" has the key j; "j: 512 as jc" also an alias. Values are words, numbers and the
/// operators of "S2.i", "2*t", "32x4x1", "3 0 1 2", kept as text for the step to read.
struct Argument {
  std::string key, value, alias;
  Position at;        ///< of the argument
  Position value_at;  ///< of the value
};

struct StepCall {
  std::string name;
  std::vector<Argument> arguments;
  std::string text;  ///< as written, with single blanks
  Position at;
};

/// Every mistake is collected and thrown as one InputError. A text may hold several steps, separated by ';'.
std::vector<StepCall> parse_schedule(const SourceText& text);

}  // namespace mansard
