// The `data` of a workload file: generated or read, and bound to names.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "input/yaml.hpp"
#include "workload/elaborate/elaborate.hpp"

namespace mansard {

/// A matrix named A supplies the parameters A_nrows, A_ncols, A_nnz and the index tables of its format
/// (matrix_format.hpp), A_row and A_col by default; the only matrix of a workload also those without prefix. `row:
/// name` and `col: name` bind the tables to other names. Any other data are one table with the name of their key.
/// `declared` are the names of the code: a table that was given a name must be among them. Parameters and tables are
/// added to `bindings`. InputError with all mistakes.
void bind_data(const YamlNode& data, const std::filesystem::path& folder, const std::set<std::string>& declared,
               Bindings& bindings);

}  // namespace mansard
