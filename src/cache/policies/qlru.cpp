// Quad-age LRU, in the variants and names of Abel and Reineke (uops.info/cache.html, nanoBench): qlru-h11-m1-r0-u0.
// A line has an age of 0 to 3, an empty way 3.
//   hxy  a use makes age 3 x, age 2 y, and all others 0
//   mx   a line comes in with age x
//   rx   where it goes: an empty way, the leftmost (r0, r1) or the rightmost one (r2); in a full set the leftmost way
//   of
//        age 3, with r1 way 0 if there is none
//   ux   what happens to the ages after each access: u0 all grow until the oldest has 3; u1 likewise all but the line
//        accessed, which does not count either; u2 all grow by one if none has 3; u3 likewise all but the line accessed
//   umo  the ages grow not then but only on a miss, before a way is chosen
#include <algorithm>
#include <array>

#include "cache/policy.hpp"
#include "cache/way_level-inl.hpp"

namespace mansard::policies {

namespace {

using Youth = std::uint8_t;  // 3 - age, so that a set starts as zeros

struct Variant {
  std::array<Youth, 4> used;  // [youth before]: youth after a use
  Youth fresh;                // of a line that comes in
  unsigned place, update;     // the digits of r and u
  bool on_miss_only;
};

class Qlru {
 public:
  using State = Youth;
  static constexpr bool tells_state = true;

  Qlru(const Variant& variant, std::uint32_t ways) : is_(variant), ways_(ways) {}
  static std::size_t states(std::uint32_t ways) { return ways; }
  [[nodiscard]] bool fills_from_right() const { return is_.place == 2; }

  void used(Youth* set, std::size_t way) const {
    set[way] = is_.used[set[way]];
    if (!is_.on_miss_only) grow(set, way);
  }
  std::size_t choose(Youth* set, std::uint64_t, std::optional<std::size_t> empty) const {
    if (is_.on_miss_only) grow(set, ways_);
    if (empty) return *empty;
    const Youth* oldest = std::find(set, set + ways_, Youth{0});
    return oldest == set + ways_ ? 0 : static_cast<std::size_t>(oldest - set);
  }
  void came_in(Youth* set, std::size_t way) const {
    set[way] = is_.fresh;
    if (!is_.on_miss_only) grow(set, way);
  }
  static void left(Youth* set, std::size_t way) { set[way] = 0; }

  template <class Entry>
  static void normalize(Entry*, State*) {}
  static std::uint32_t cycle(std::uint32_t ways) { return ways; }

 private:
  /// All lines grow older; u1 and u3 spare the one in way `accessed`, if any.
  void grow(Youth* set, std::size_t accessed) const {
    const std::size_t spared = is_.update % 2 == 1 ? accessed : ways_;
    Youth least = 3;
    for (std::size_t way = 0; way < ways_; ++way) {
      if (way != spared || is_.update == 3) least = std::min(least, set[way]);
    }
    if (least == 0) return;
    const Youth by = is_.update >= 2 ? Youth{1} : least;
    for (std::size_t way = 0; way < ways_; ++way) {
      if (way != spared) set[way] = static_cast<Youth>(set[way] - by);
    }
  }

  Variant is_;
  std::size_t ways_;
};

std::optional<Variant> variant_of(std::string_view text) {
  const bool umo = text.ends_with("-umo");
  if (umo) text.remove_suffix(4);
  constexpr std::string_view form = "h##-m#-r#-u#";
  if (text.size() != form.size()) return std::nullopt;
  std::array<unsigned, 5> digit{};
  std::size_t found = 0;
  constexpr std::array<char, 5> most{'2', '1', '3', '2', '3'};
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] != '#') {
      if (text[i] != form[i]) return std::nullopt;
    } else {
      if (text[i] < '0' || text[i] > most[found]) return std::nullopt;
      digit[found++] = static_cast<unsigned>(text[i] - '0');
    }
  }
  const auto [x, y, m, r, u] = digit;
  if (y > x || (r != 1 && u >= 2)) return std::nullopt;  // r0 and r2 rely on u0 or u1 to leave a line of age 3
  const auto youth = [](unsigned age) { return static_cast<Youth>(3 - age); };
  return Variant{{youth(x), youth(y), 3, 3}, youth(m), r, u, umo};
}

std::unique_ptr<Level> make(const LevelGeometry& geometry, std::uint32_t line_bytes, std::uint64_t highest_line) {
  const Qlru policy(variant_of(geometry.parameters).value(), geometry.ways);
  return make_way_level(policy, geometry, line_bytes, highest_line);
}

std::string check(std::string_view parameters, std::uint32_t ways) {
  if (!variant_of(parameters)) {
    return "expected a variant such as qlru-h11-m1-r0-u0: h00, h10, h11, h20 or h21; m0 to m3; r0 to r2; u0 to u3, u2 "
           "and u3 only with r1; perhaps -umo at the end";
  }
  return check_ways("qlru", ways);
}

}  // namespace

extern const Policy qlru;
const Policy qlru{"qlru", "quad-age LRU in one of its variants, such as qlru-h11-m1-r0-u0", make, check};

}  // namespace mansard::policies
