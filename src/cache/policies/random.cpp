// Random replacement that is the same from run to run: the way is drawn from a hash of (seed, set, number of the line
// that comes into that set).
#include <charconv>

#include "cache/policy.hpp"
#include "cache/way_level-inl.hpp"
#include "units/mix.hpp"

namespace mansard::policies {

namespace {

class Random {
 public:
  using State = std::uint64_t;  // of the set: lines that came in so far
  static constexpr bool tells_state = false;

  Random(std::uint64_t seed, std::uint32_t ways) : seed_(seed), ways_(ways) {}
  static std::size_t states(std::uint32_t) { return 1; }
  static bool fills_from_right() { return false; }

  static void used(State*, std::size_t) {}
  std::size_t choose(State* came, std::uint64_t set, std::optional<std::size_t> empty) const {
    const std::uint64_t number = ++*came;
    if (empty) return *empty;
    const std::uint64_t drawn = mix(mix(mix(seed_) + set) + number);
    return static_cast<std::size_t>((drawn >> 32U) * ways_ >> 32U);  // the upper half as a fraction of the ways
  }
  static void came_in(State*, std::size_t) {}
  static void left(State*, std::size_t) {}

  template <class Entry>
  static void normalize(Entry*, State*) {}
  static std::uint32_t cycle(std::uint32_t) { return 1; }

 private:
  std::uint64_t seed_, ways_;
};

std::optional<std::uint64_t> seed_of(std::string_view text) {
  if (text.empty()) return 1;
  std::uint32_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return seed;
}

std::unique_ptr<Level> make(const LevelGeometry& geometry, std::uint32_t line_bytes, std::uint64_t highest_line) {
  const Random policy(seed_of(geometry.parameters).value(), geometry.ways);
  return make_way_level(policy, geometry, line_bytes, highest_line);
}

std::string check(std::string_view parameters, std::uint32_t ways) {
  if (!seed_of(parameters)) return "expected random or, with a seed of 0 to 4294967295, random-SEED";
  return check_ways("random", ways);
}

}  // namespace

extern const Policy random;
const Policy random{"random", "a way drawn from a hash, with seed 1 (random) or another (random-42)", make, check};

}  // namespace mansard::policies
