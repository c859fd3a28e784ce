// Where the values of a loop body live: scalars and array elements, each distinct subscript one place.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "workload/kernel.hpp"

namespace mansard {

class Places {
 public:
  explicit Places(const Loop& loop);

  std::size_t of(ScalarId scalar);
  std::size_t of(const Access& access);
  [[nodiscard]] std::size_t size() const { return places_.size(); }

  /// The iterations after which an element stored at `stored` is the one loaded at `loaded`: 1, 2, …; a place that is
  /// the same in every iteration has distance 1. None if never or not known (gathered subscripts, other floors).
  [[nodiscard]] std::optional<std::uint32_t> distance(std::size_t stored, std::size_t loaded) const;

 private:
  using Key = std::vector<Int>;  ///< kind, number and flattened subscripts
  std::size_t find(const Key& key, const Access* access);
  [[nodiscard]] bool gathered(const Access& access) const;

  const Loop& loop_;
  std::set<Slot> defined_;  ///< slots read from tables inside the loop: their values in other iterations are not known
  std::map<Key, std::size_t> index_;
  std::vector<const Access*> places_;  ///< null for scalars
};

}  // namespace mansard
