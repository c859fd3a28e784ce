#include "report/format.hpp"

namespace mansard {

const Format* find_format(std::string_view name) {
  for (const Format* format : all_formats()) {
    if (format->name == name) return format;
  }
  return nullptr;
}

}  // namespace mansard
