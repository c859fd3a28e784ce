#include "workload/data/fluid_cells.hpp"

#include <array>

#include "units/large_pages.hpp"
#include "workload/data/random.hpp"

namespace mansard {
namespace {

struct Direction {
  Int x, y, z;
};

/// Each but the first is followed or preceded by its opposite: 1 and 2, 3 and 4, …
constexpr std::array<Direction, 19> directions{{{0, 0, 0},
                                                {1, 0, 0},
                                                {-1, 0, 0},
                                                {0, 1, 0},
                                                {0, -1, 0},
                                                {0, 0, 1},
                                                {0, 0, -1},
                                                {1, 1, 0},
                                                {-1, -1, 0},
                                                {1, -1, 0},
                                                {-1, 1, 0},
                                                {1, 0, 1},
                                                {-1, 0, -1},
                                                {1, 0, -1},
                                                {-1, 0, 1},
                                                {0, 1, 1},
                                                {0, -1, -1},
                                                {0, 1, -1},
                                                {0, -1, 1}}};
constexpr Int opposite(Int q) { return q == 0 ? 0 : (q - 1) % 2 == 0 ? q + 1 : q - 1; }

/// The number of each fluid cell of the box, -1 for solid ones.
std::vector<std::int32_t> numbered(Int n, Int solid, Random random) {
  std::vector<std::int32_t> number(static_cast<std::size_t>(n * n * n));
  std::int32_t fluid = 0;
  for (std::int32_t& cell : number) cell = static_cast<Int>(random.below(100)) < solid ? -1 : fluid++;
  return number;
}

}  // namespace

Sparsity fluid_cells(GeneratorArguments& arguments, Streaming streaming) {
  constexpr Int largest_edge = 1000, populations = 19, all = 100;
  const Int n = arguments.integer("n", 1, largest_edge);
  const Int solid = arguments.integer("solid", 0, all - 1, 0);
  const bool aos = arguments.integer("aos", 0, 1, 0) == 1;
  const Random random(arguments.seed());
  if (!arguments.ok() || !arguments.fits(n * n * n * populations)) return {};
  const std::vector<std::int32_t> number = numbered(n, solid, random);
  Sparsity s;
  for (const std::int32_t cell : number) s.rows += cell >= 0 ? 1 : 0;
  if (s.rows == 0) arguments.mistake("no cell of the box is fluid");
  if (s.rows == 0) return {};
  s.columns = s.rows * populations;
  s.row.push_back(0);
  s.col = roomy_vector<std::int32_t>(static_cast<std::size_t>(s.rows * (populations - 1)));
  for (Int at = 0; at < n * n * n; ++at) {
    const Int cell = number[static_cast<std::size_t>(at)], x = at % n, y = at / n % n, z = at / (n * n);
    if (cell < 0) continue;
    for (Int q = 1; q < populations; ++q) {
      const Direction& d = directions[static_cast<std::size_t>(streaming == Streaming::push ? q : opposite(q))];
      const auto inside = [n](Int i) { return i >= 0 && i < n; };
      const bool in_box = inside(x + d.x) && inside(y + d.y) && inside(z + d.z);
      const Int neighbour = in_box ? number[static_cast<std::size_t>(at + (d.z * n + d.y) * n + d.x)] : -1;
      const Int place = neighbour >= 0 ? neighbour : cell, direction = neighbour >= 0 ? q : opposite(q);
      s.col.push_back(static_cast<std::int32_t>(aos ? place * populations + direction : direction * s.rows + place));
    }
    s.row.push_back(static_cast<std::int32_t>(s.col.size()));
  }
  return s;
}

}  // namespace mansard
