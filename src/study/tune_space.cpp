#include "study/tune_space.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "study/array_uses.hpp"

namespace mansard {
namespace {

constexpr std::size_t deepest_band = 4;  // 24 orders
constexpr Int most_copies = 96;          // of a body: 12 registers of 8 results

/// The longest chain of loops that step by one, each the only thing in the one around it, with affine bounds.
void find_band(const std::vector<Node>& nodes, std::vector<const Loop*>& longest) {
  const auto plain = [](const Loop& loop) { return loop.step == 1 && loop.reads.empty(); };
  for (const Node& node : nodes) {
    const auto* loop = std::get_if<Loop>(&node.is);
    if (loop == nullptr) continue;
    if (plain(*loop)) {
      std::vector<const Loop*> chain{loop};
      while (chain.back()->body.size() == 1) {
        const auto* inner = std::get_if<Loop>(&chain.back()->body.front().is);
        if (inner == nullptr || !plain(*inner)) break;
        chain.push_back(inner);
      }
      if (chain.size() > longest.size()) longest = chain;
    }
    find_band(loop->body, longest);
  }
}

}  // namespace

TuneSpace::TuneSpace(const Kernel& kernel, std::uint32_t simd_bytes, TuneLists lists) : lists_(std::move(lists)) {
  std::vector<const Loop*> loops;
  find_band(kernel.nests, loops);
  if (loops.size() > deepest_band) loops.resize(deepest_band);
  std::set<std::string> names;
  for (const Loop* loop : loops) names.insert(loop->name);
  if (names.size() < loops.size()) loops.clear();
  const ArrayUses uses = array_uses(kernel);
  std::vector<Interval> ranges(kernel.slots.size(), Interval{0, 0});
  for (const Loop* loop : loops) {
    Interval& values = ranges[loop->slot];
    values = {range(loop->lower.front(), ranges).low, range(loop->upper.front(), ranges).high};
    band_.push_back(loop->name);
    trips_.push_back(values.high - values.low + 1);
    if (uses.contiguous.contains(loop->slot)) contiguous_.push_back(loop->name);
  }
  orders_.push_back(band_);
  std::vector<std::string> order = band_;
  std::ranges::sort(order);
  do {
    if (lists_.reorder && order != band_) orders_.push_back(order);
  } while (std::ranges::next_permutation(order).found);

  std::uint32_t widest = 1;
  for (const ArrayId a : uses.stored) {
    const Array& array = kernel.arrays[a];
    widest = std::max(widest, bytes_of(array.type));
    if (!uses.loaded.contains(a) && !array.is_private) add(Kind::stream, 2, array.name);
  }
  lanes_ = std::max<Int>(1, simd_bytes / widest);
  add(Kind::order, orders_.size());
  add(Kind::tile_order, orders_.size());
  for (std::size_t l = band_.size(); l-- > 0;) add(Kind::tile, lists_.tiles.size(), band_[l]);
  if (band_.size() > 1) {
    for (const std::string& loop : band_) add(Kind::unroll, lists_.unrolls.size(), loop);
    add(Kind::across, contiguous_.empty() ? 1 : 2);
  }
  if (!lists_.pack) return;
  for (std::size_t a = 0; a < kernel.arrays.size(); ++a) {
    const auto id = static_cast<ArrayId>(a);
    const Array& array = kernel.arrays[a];
    if (!uses.slots.contains(id) || array.extents.size() < 2 || array.data || array.is_private) continue;
    padded_.push_back(array.name);
    const auto used = [&](const Loop* loop) { return uses.slots.at(id).contains(loop->slot); };
    if (uses.stored.contains(id) || uses.indirect.contains(id) || std::ranges::all_of(loops, used)) continue;
    add(Kind::stage, 1 + band_.size(), array.name);
  }
  if (!padded_.empty()) add(Kind::pad, 2);
}

void TuneSpace::add(Kind kind, std::size_t choices, const std::string& name) { axes_.push_back({kind, choices, name}); }

double TuneSpace::size() const {
  double product = 1;
  for (const Axis& axis : axes_) product *= static_cast<double>(axis.choices);
  return product;
}

std::vector<std::size_t> TuneSpace::foreseeable() const {
  std::vector<std::size_t> result;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    if (axes_[a].kind != Kind::stage && axes_[a].kind != Kind::pad && axes_[a].kind != Kind::order) result.push_back(a);
  }
  return result;
}

std::vector<std::size_t> TuneSpace::unforeseeable() const {
  std::vector<std::size_t> result;
  for (std::size_t a = axes_.size(); a-- > 0;) {
    if (axes_[a].kind == Kind::stage || axes_[a].kind == Kind::pad) result.push_back(a);
  }
  return result;
}

Point TuneSpace::start(std::size_t order, bool unrolled) const {
  Point point(axes_.size(), 0);
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    const Axis& axis = axes_[a];
    if (axis.kind == Kind::order || axis.kind == Kind::tile_order) point[a] = order;
    if (!unrolled || (axis.kind != Kind::unroll && axis.kind != Kind::across)) continue;
    point[a] = axis.choices / 2;
    const auto lanes = std::ranges::find(lists_.unrolls, lanes_);
    if (std::ranges::find(contiguous_, axis.name) != contiguous_.end() && lanes != lists_.unrolls.end())
      point[a] = static_cast<std::size_t>(lanes - lists_.unrolls.begin());
  }
  return point;
}

std::size_t TuneSpace::choice(const Point& point, Kind kind, const std::string& name) const {
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    if (axes_[a].kind == kind && axes_[a].name == name) return point[a];
  }
  return 0;
}

Blocking TuneSpace::blocking(const Point& point) const {
  Blocking b;
  const std::vector<std::string>& order = orders_[choice(point, Kind::order)];
  if (order != band_) b.order = order;
  Int copies = 1;
  for (const std::string& loop : order) {
    const Int factor = loop == order.back() ? 1 : lists_.unrolls[choice(point, Kind::unroll, loop)];
    const Int trips = trips_[static_cast<std::size_t>(std::ranges::find(band_, loop) - band_.begin())];
    if (factor == 1 || factor > trips || copies * factor > most_copies) continue;
    copies *= factor;
    b.unrolls.push_back({loop, factor});
  }
  for (const std::string& loop : orders_[choice(point, Kind::tile_order)]) {
    const auto place = static_cast<std::size_t>(std::ranges::find(band_, loop) - band_.begin());
    Int size = lists_.tiles[choice(point, Kind::tile, loop)];
    const auto unrolled = std::ranges::find(b.unrolls, loop, &Blocking::Block::loop);
    // Whole blocks fill a tile.
    if (size > 0 && unrolled != b.unrolls.end()) size = std::max<Int>(1, size / unrolled->size) * unrolled->size;
    if (size > 0 && size < trips_[place]) b.tiles.push_back({loop, size});
  }
  if (choice(point, Kind::across) == 1) {
    for (const auto& [loop, factor] : b.unrolls) {
      if (factor % lanes_ == 0 && std::ranges::find(contiguous_, loop) != contiguous_.end()) b.across = loop;
    }
  }
  for (const auto& tile : b.tiles) {  // outermost first
    for (const Axis& axis : axes_) {
      if (axis.kind != Kind::stage) continue;
      const std::size_t at = choice(point, Kind::stage, axis.name);
      if (at > 0 && band_[at - 1] == tile.loop) b.stages.push_back({axis.name, tile.loop});
    }
  }
  if (choice(point, Kind::pad) == 1) b.padded = padded_;
  for (const Axis& axis : axes_) {
    if (axis.kind == Kind::stream && choice(point, Kind::stream, axis.name) == 1) b.streams.push_back(axis.name);
  }
  return b;
}

std::string TuneSpace::form(const Point& point) const {
  Blocking b = blocking(point);
  for (auto& tile : b.tiles) tile.size = 0;
  for (auto& unrolled : b.unrolls) unrolled.size = 0;
  b.streams.clear();
  b.padded.clear();
  return schedule_text(b);
}

}  // namespace mansard
