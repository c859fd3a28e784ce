// Tree pseudo-LRU: the ways are the leaves of a binary tree, and each node remembers which half was not used last. The
// line to replace is found by following the nodes. (Al-Zoubi, Milenkovic, Milenkovic, ACM SE 2004, describe it.)
#include <algorithm>
#include <bit>
#include <vector>

#include "cache/policy.hpp"
#include "cache/way_level-inl.hpp"

namespace mansard::policies {

namespace {

class TreePlru {
 public:
  using State = std::uint8_t;  // by node, the root being 1 and the children of n being 2 n and 2 n + 1: 1 is "right"
  static constexpr bool tells_state = true;

  explicit TreePlru(std::uint32_t ways) : depth_(static_cast<unsigned>(std::countr_zero(ways))) {}
  static std::size_t states(std::uint32_t ways) { return ways; }
  static bool fills_from_right() { return false; }

  void used(State* nodes, std::size_t way) const {
    std::size_t node = 1;
    for (unsigned level = depth_; level-- > 0;) {
      const std::size_t half = way >> level & 1U;
      nodes[node] = static_cast<State>(1 - half);
      node = 2 * node + half;
    }
  }
  std::size_t choose(const State* nodes, std::uint64_t, std::optional<std::size_t> empty) const {
    if (empty) return *empty;
    std::size_t node = 1;
    for (unsigned level = 0; level < depth_; ++level) node = 2 * node + nodes[node];
    return node - (std::size_t{1} << depth_);
  }
  void came_in(State* nodes, std::size_t way) const { used(nodes, way); }
  static void left(State*, std::size_t) {}  // the way is empty and so the next to be filled

  /// Halves that change places at a node, which then points the other way, do not make a difference: all nodes point to
  /// the left.
  template <class Entry>
  void normalize(Entry* row, State* nodes) const {
    const std::size_t ways = std::size_t{1} << depth_;
    const std::vector<Entry> before(row, row + ways);
    for (std::size_t n = 0; n < ways; ++n) {  // the bits of n say at which nodes not to follow the pointer
      std::size_t node = 1;
      for (unsigned level = depth_; level-- > 0;) node = 2 * node + (nodes[node] ^ (n >> level & 1U));
      row[n] = before[node - ways];
    }
    std::fill(nodes, nodes + ways, State{0});
  }
  static std::uint32_t cycle(std::uint32_t) { return 1; }

 private:
  unsigned depth_;
};

std::unique_ptr<Level> make(const LevelGeometry& geometry, std::uint32_t line_bytes, std::uint64_t highest_line) {
  return make_way_level(TreePlru(geometry.ways), geometry, line_bytes, highest_line);
}

std::string check(std::string_view parameters, std::uint32_t ways) {
  if (!parameters.empty()) return "tree-plru takes no parameters";
  if (!std::has_single_bit(ways)) return "tree-plru needs a power of two of ways, found " + std::to_string(ways);
  return check_ways("tree-plru", ways);
}

}  // namespace

extern const Policy tree_plru;
const Policy tree_plru{"tree-plru", "a binary tree over the ways points away from what was used last", make, check};

}  // namespace mansard::policies
