// tile(k:8, j:512 as jc): strip-mines loops; the loops over tiles go around the whole nest, below those of earlier
// tilings, in the order named. Tiles start at the loop's lower bound. M. Wolfe, "More iteration space tiling", SC 1989.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "schedule/step.hpp"

namespace mansard::steps {
namespace {

constexpr Int largest_tile = Int{1} << 40U;

struct Tile {
  std::string loop, name;
  Int size = 1;
  const Argument* argument = nullptr;
};

std::optional<std::vector<Tile>> read(const StepCall& call, Diagnostics& diagnostics) {
  std::vector<Tile> tiles;
  if (call.arguments.empty()) diagnostics.add(call.at, "tile needs loops and sizes, as in tile(k:8, j:32)");
  for (const Argument& argument : call.arguments) {
    if (argument.key.empty()) {
      diagnostics.add(argument.at, "expected 'loop: size', as in tile(k:8, j:512 as jc)");
      continue;
    }
    const auto size = read_count(argument.value, 1, largest_tile, argument.value_at, diagnostics);
    const std::string loop = split_loop_name(argument.key).second;
    if (size) tiles.push_back({argument.key, argument.alias.empty() ? loop + "t" : argument.alias, *size, &argument});
  }
  if (tiles.size() != call.arguments.size() || tiles.empty()) return std::nullopt;
  return tiles;
}

/// The values of a tile loop, per unit of the root. Units outside of the tiled loop go with the first tile where they
/// stand before it, with the last where they stand behind.
std::optional<Branch> tile_loop(Scheduling& scheduling, Branch& root, const Tile& tile,
                                std::map<std::size_t, Quasi>& plain) {
  std::optional<std::pair<Int, Int>> range;
  for (const Branch* loop : loops_named(root, scheduling.nests(), tile.loop)) {
    for (const auto& [unit, value] : loop->value) {
      plain[unit] = value;
      const auto r = scheduling.dependences().range_of(unit, value, tile.argument->at);
      if (r) range = range ? std::pair{std::min(range->first, r->first), std::max(range->second, r->second)} : r;
    }
  }
  if (!range) return std::nullopt;  // never runs
  const Int start = range->first;
  Branch loop;
  loop.name = tile.name;
  loop.at = root.at;
  loop.is_tile = true;
  loop.start = start;
  bool seen = false;
  for (const std::size_t unit : units_below(root)) {
    const auto value = plain.find(unit);
    seen = seen || value != plain.end();
    const Int last = start + (range->second - start) / tile.size * tile.size;
    loop.value[unit] = value == plain.end()
                           ? Quasi(seen ? last : start)
                           : floor_div(value->second + Quasi(-start), tile.size) * tile.size + Quasi(start);
  }
  return loop;
}

/// Puts the loops around the root, below the tile loops that are there.
Branch wrapped(Branch root, std::vector<Branch>& loops) {
  if (root.kind == Branch::Kind::loop && root.is_tile && root.children.size() == 1) {
    root.children.front() = wrapped(std::move(root.children.front()), loops);
    return root;
  }
  for (std::size_t n = loops.size(); n-- > 0;) {
    loops[n].children.push_back(std::move(root));
    root = std::move(loops[n]);
  }
  return root;
}

/// "t: 1, k: 1": the loops around the outermost one that is tiled; empty if there are none.
std::string loops_outside(const Branch& root, const std::vector<Tile>& tiles) {
  std::string text;
  const Branch* branch = &root;
  while (branch->kind == Branch::Kind::loop && std::ranges::find(tiles, branch->name, &Tile::loop) == tiles.end()) {
    if (!branch->is_tile) text += (text.empty() ? "" : ", ") + branch->name + ": 1";
    if (branch->children.size() != 1) return {};
    branch = &branch->children.front();
  }
  return text;
}

void tile_root(Scheduling& scheduling, std::size_t r, const std::vector<Tile>& tiles, const StepCall& call) {
  Branch root = scheduling.nests().roots[r];
  const std::vector<std::size_t> units = units_below(root);
  std::vector<Branch> loops;
  std::vector<std::map<std::size_t, Quasi>> values;
  bool complete = true;
  for (const Tile& tile : tiles) {
    std::map<std::size_t, Quasi> plain;
    auto loop = tile_loop(scheduling, root, tile, plain);
    if (!loop) continue;
    loops.push_back(std::move(*loop));
    complete = complete && plain.size() == units.size();
    values.push_back(std::move(plain));
  }
  if (loops.empty()) return;
  const bool known = complete && scheduling.dependences().never_backwards(units, values, call.at);
  const std::string outer = loops_outside(root, tiles);
  if (scheduling.replace_roots(r, 1, {wrapped(std::move(root), loops)}, call, known) || outer.empty()) return;
  scheduling.diagnostics.add(call.at,
                             fmt::format("the loops over tiles go around those outside, too; with {} named first "
                                         "they stay within an iteration of these",
                                         outer));
}

/// A nest with bounds or subscripts from arrays keeps its order, and so does a strip-mined outermost loop.
bool tile_opaque(Scheduling& scheduling, Branch& root, const Tile& tile) {
  auto* outer = root.nodes.size() == 1 ? std::get_if<Loop>(&root.nodes.front().is) : nullptr;
  if (outer == nullptr || outer->name != tile.loop || !outer->reads.empty() || outer->lower.size() != 1 ||
      outer->step != 1) {
    scheduling.diagnostics.add(tile.argument->at,
                               fmt::format("only the outermost loop of this nest can be tiled, since {}", root.reason));
    return false;
  }
  Kernel& kernel = scheduling.kernel();
  Loop tiles;
  tiles.slot = static_cast<Slot>(kernel.slots.size());
  kernel.slots.push_back(tile.name);
  tiles.name = tile.name;
  tiles.lower = outer->lower;
  tiles.upper = outer->upper;
  tiles.step = tile.size;
  tiles.at = outer->at;
  outer->lower.push_back(Quasi::of_slot(tiles.slot));
  outer->upper.push_back(Quasi::of_slot(tiles.slot) + Quasi(tile.size - 1));
  tiles.body = std::move(root.nodes);
  root.nodes.clear();
  root.nodes.push_back({std::move(tiles)});
  return true;
}

void apply(Scheduling& scheduling, const StepCall& call) {
  const auto tiles = read(call, scheduling.diagnostics);
  if (!tiles) return;
  std::map<std::size_t, std::vector<Tile>> by_root;
  for (const Tile& tile : *tiles) {
    for (const std::size_t r : scheduling.roots_with(tile.loop, tile.argument->at, true)) by_root[r].push_back(tile);
  }
  if (!scheduling.diagnostics.empty()) return;
  for (const auto& [r, wanted] : by_root) {
    Branch& root = scheduling.nests().roots[r];
    if (root.kind == Branch::Kind::loop) tile_root(scheduling, r, wanted, call);
    if (root.kind == Branch::Kind::opaque && wanted.size() == 1) tile_opaque(scheduling, root, wanted.front());
    if (root.kind == Branch::Kind::opaque && wanted.size() > 1)
      scheduling.diagnostics.add(call.at, "only the outermost loop of this nest can be tiled, since " + root.reason);
  }
}

}  // namespace

extern const ScheduleStep tile;
const ScheduleStep tile{"tile", "tile(k:8, j:512 as jc)",
                        "strip-mines loops; the loops over tiles go around the whole nest, in the order named", apply};

}  // namespace mansard::steps
