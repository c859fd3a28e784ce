// Matrix Market exchange files (Boisvert, Pozo, Remington: The Matrix Market Exchange Formats, NISTIR 5935, 1996).
#pragma once

#include <Eigen/SparseCore>
#include <cstdint>
#include <filesystem>

namespace mansard {

using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>;

/// Reads coordinate and array files; real, integer, complex (the magnitude is kept) and pattern (1); general,
/// symmetric, skew-symmetric and hermitian (the stored lower triangle is expanded). Entries given twice are summed,
/// explicit zeros stay stored. InputError with the line if the file is truncated, longer than it says, out of range or
/// not numbers; sizes are checked against the length of the file before anything is allocated.
SparseMatrix read_matrix_market(const std::filesystem::path& file);

}  // namespace mansard
