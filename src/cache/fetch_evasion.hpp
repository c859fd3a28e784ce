// Write-allocate evasion (SpecI2M of Ice Lake, Neoverse's write streaming): some stores that miss allocate their line
// without fetching it first.
#pragma once

#include <optional>

#include "cache/geometry.hpp"
#include "cache/lazy_array.hpp"
#include "cache/mapped_index.hpp"
#include "cache/set_index.hpp"

namespace mansard {

/// Of the misses n = 1, 2, … of stores in a set, those with floor(n f) > floor((n - 1) f) do without the fetch.
class FetchEvasion {
 public:
  FetchEvasion(const LevelGeometry& geometry, std::uint32_t line_bytes)
      : factor_(geometry.evasion), index_(geometry.sets), rest_(geometry.sets) {
    if (MappedIndex::needed(geometry)) mapped_.emplace(geometry, line_bytes);
  }

  /// A store misses `line`: may it do without the fetch?
  bool next(std::uint64_t line) {
    std::uint32_t& rest = rest_.data()[mapped_ ? (*mapped_)(line) : index_(line)];
    rest += factor_;  // n f passes a whole number where its fraction starts again
    if (rest < one) return false;
    rest -= one;
    return true;
  }
  /// Does the choice depend on what was before?
  [[nodiscard]] bool remembers() const { return factor_ < one; }

 private:
  static constexpr std::uint32_t one = 1'000'000;
  std::uint32_t factor_;
  SetIndex index_;
  std::optional<MappedIndex> mapped_;
  LazyArray<std::uint32_t> rest_;  // [set] the fraction of n f, in millionths
};

}  // namespace mansard
