#include "workload/data/laplacian.hpp"

#include <cstdlib>

#include "units/large_pages.hpp"

namespace mansard {

Sparsity laplacian_3d(GeneratorArguments& arguments, int axes) {
  constexpr Int largest_edge = 1000;
  const Int n = arguments.integer("n", 1, largest_edge);
  if (!arguments.ok() || !arguments.fits(n * n * n * (axes == 1 ? 7 : 27))) return {};
  Sparsity s{n * n * n, n * n * n, {0}, {}};
  s.row.reserve(static_cast<std::size_t>(s.rows) + 1);
  s.col = roomy_vector<std::int32_t>(
      static_cast<std::size_t>(axes == 1 ? 7 * n * n * n - 6 * n * n : (3 * n - 2) * (3 * n - 2) * (3 * n - 2)));
  const auto inside = [n](Int x) { return x >= 0 && x < n; };
  for (Int point = 0; point < s.rows; ++point) {
    const Int x = point % n, y = point / n % n, z = point / (n * n);
    for (Int dz = -1; dz <= 1; ++dz) {
      for (Int dy = -1; dy <= 1; ++dy) {
        for (Int dx = -1; dx <= 1; ++dx) {
          if (std::abs(dx) + std::abs(dy) + std::abs(dz) > axes) continue;
          if (!inside(x + dx) || !inside(y + dy) || !inside(z + dz)) continue;
          s.col.push_back(static_cast<std::int32_t>(point + (dz * n + dy) * n + dx));
        }
      }
    }
    s.row.push_back(static_cast<std::int32_t>(s.col.size()));
  }
  return s;
}

}  // namespace mansard
