// Results go to a stream or, whole or not at all, to a file.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

namespace mansard {

/// Writes to `file` by way of a temporary file beside it that is renamed at the end, or to `out` if there is no file.
/// Throws std::runtime_error if that fails; a file that was there before is then untouched.
void write_result(const std::string& text, const std::optional<std::string>& file, std::ostream& out);

}  // namespace mansard
