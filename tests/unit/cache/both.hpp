// One stream through the production hierarchy and its twin: what is shown for one holds for both.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>

#include "cache/geometry.hpp"
#include "cache/policy.hpp"
#include "support/catch.hpp"

namespace mansard::test {

inline LevelGeometry lru(std::uint64_t sets, std::uint32_t ways) {
  LevelGeometry level;
  level.sets = sets;
  level.ways = ways;
  level.policy = find_policy("lru");
  return level;
}
inline LevelGeometry fifo(std::uint64_t sets, std::uint32_t ways) {
  LevelGeometry level = lru(sets, ways);
  level.policy = find_policy("fifo");
  return level;
}
inline LevelGeometry by(const std::string& replacement, std::uint64_t sets, std::uint32_t ways) {
  LevelGeometry level = lru(sets, ways);
  level.policy = find_replacement(replacement).policy;
  level.parameters = find_replacement(replacement).parameters;
  return level;
}
inline LevelGeometry with(LevelGeometry level, Role role) {
  level.role = role;
  return level;
}

/// Lines are 64 B unless told otherwise; the accesses below are named by line, so that they can be followed by hand.
class Both {
 public:
  explicit Both(std::vector<LevelGeometry> levels, std::vector<Region> regions = {{"a", 0, 1}}, std::uint32_t line = 64,
                std::uint32_t combining = 0)
      : geometry_{line, std::move(levels), combining},
        fast_(make_hierarchy(geometry_, regions)),
        naive_(make_naive(geometry_, regions)) {}

  void run(std::vector<Element> elements) {
    fast_->consume(std::span<const Element>(elements));
    naive_->consume(std::span<const Element>(elements));
  }
  /// An affine run: reference r accesses base[r] + n * stride[r] for n = 0 … count - 1.
  void run(const std::vector<StreamRef>& refs, const std::vector<Int>& base, const std::vector<Int>& stride,
           std::uint64_t count) {
    fast_->consume(Run{refs, base, stride, count});
    naive_->consume(Run{refs, base, stride, count});
  }
  void access(std::uint64_t address, std::uint8_t bytes, Kind kind, std::uint16_t array = 0) {
    run({{address, array, bytes, kind}});
  }
  void load(std::initializer_list<std::uint64_t> lines) {
    for (const std::uint64_t line : lines) access(line * geometry_.line, 8, Kind::load);
  }
  void store(std::initializer_list<std::uint64_t> lines) {
    for (const std::uint64_t line : lines) access(line * geometry_.line, 8, Kind::store);
  }
  void drain() {
    fast_->drain();
    naive_->drain();
  }
  const Counters& counters() const {
    REQUIRE(fast_->counters() == naive_->counters());
    return fast_->counters();
  }
  Flow boundary(std::size_t b) const { return counters().boundary(b); }
  const LevelCount& level(std::size_t k) const { return counters().levels.at(k); }
  std::uint64_t dirty_lines() const {
    REQUIRE(fast_->dirty_lines() == naive_->dirty_lines());
    return fast_->dirty_lines();
  }
  /// Does a load of the line hit in level k? (It is a load like any other.)
  bool load_hits(std::size_t k, std::uint64_t line) {
    const std::uint64_t before = level(k).load_hits;
    load({line});
    return level(k).load_hits > before;
  }

 private:
  Geometry geometry_;
  std::unique_ptr<Hierarchy> fast_, naive_;
};

}  // namespace mansard::test
