// Static re-reference interval prediction with hit priority: Jaleel, Theobald, Steely, Emer, ISCA 2010. A line has an
// M-bit prediction (RRPV): 2^M - 2 when it comes in, 0 when it is used, and the leftmost line at 2^M - 1 is replaced,
// after all have been raised until there is one.
#include <algorithm>

#include "cache/policy.hpp"
#include "cache/way_level-inl.hpp"

namespace mansard::policies {

namespace {

constexpr unsigned default_bits = 2, most_bits = 8;

class Srrip {
 public:
  using State = std::uint8_t;  // by way: 2^M - 1 - RRPV, so that an empty way is 0
  static constexpr bool tells_state = true;

  Srrip(unsigned bits, std::uint32_t ways) : near_(static_cast<State>((1U << bits) - 1)), ways_(ways) {}
  static std::size_t states(std::uint32_t ways) { return ways; }
  static bool fills_from_right() { return false; }

  void used(State* state, std::size_t way) const { state[way] = near_; }
  std::size_t choose(State* state, std::uint64_t, std::optional<std::size_t> empty) const {
    if (empty) return *empty;
    State* const farthest = std::min_element(state, state + ways_);  // the leftmost of them
    const State raise = *farthest;
    for (std::size_t way = 0; way < ways_; ++way) state[way] = static_cast<State>(state[way] - raise);
    return static_cast<std::size_t>(farthest - state);
  }
  static void came_in(State* state, std::size_t way) { state[way] = 1; }
  static void left(State* state, std::size_t way) { state[way] = 0; }

  template <class Entry>
  static void normalize(Entry*, State*) {}
  static std::uint32_t cycle(std::uint32_t ways) { return ways; }

 private:
  State near_;
  std::size_t ways_;
};

/// The number of bits; 0 if `text` is none.
unsigned bits_of(std::string_view text) {
  if (text.empty()) return default_bits;
  const bool digit = text.size() == 1 && text[0] >= '1' && text[0] <= '0' + static_cast<char>(most_bits);
  return digit ? static_cast<unsigned>(text[0] - '0') : 0;
}

std::unique_ptr<Level> make(const LevelGeometry& geometry, std::uint32_t line_bytes, std::uint64_t highest_line) {
  return make_way_level(Srrip(bits_of(geometry.parameters), geometry.ways), geometry, line_bytes, highest_line);
}

std::string check(std::string_view parameters, std::uint32_t ways) {
  if (bits_of(parameters) == 0) return "expected srrip or, with the number of bits, srrip-1 to srrip-8";
  return check_ways("srrip", ways);
}

}  // namespace

extern const Policy srrip;
const Policy srrip{"srrip", "re-reference interval prediction, of 2 bits (srrip) or 1 to 8 (srrip-3)", make, check};

}  // namespace mansard::policies
