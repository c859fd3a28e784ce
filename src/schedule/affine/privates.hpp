// Which statements of a loop body hand values on in registers and therefore stay together.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "workload/kernel.hpp"

namespace mansard {

/// A scalar, or an element of an array declared inside a loop: what has one storage place for all iterations.
struct Storage {
  bool is_array = false;
  std::uint16_t id = 0;
  std::vector<Int> element;  ///< of an array
  auto operator<=>(const Storage&) const = default;
};

/// The element that constant subscripts name; none if one is not constant.
std::optional<std::vector<Int>> fixed_element(const Access& access);

struct StorageUse {
  Storage storage;
  bool write = false;
  bool anywhere = false;  ///< in the array: which element is not known
};

/// Scalars and elements of private arrays that a loop-free node uses, in order of execution.
std::vector<StorageUse> storage_uses(const Kernel& kernel, const Node& node);

class Privates {
 public:
  explicit Privates(const Kernel& kernel);

  /// Children first … last that stay together, in order; every child of the body is in one group, loops in groups of
  /// their own.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> groups(const std::vector<Node>& body) const;
  /// Is the storage written before it is read in each execution of the one group that uses it? Then no iteration sees
  /// what another left there.
  [[nodiscard]] bool is_private(const Storage& storage) const { return homes_.contains(storage); }

 private:
  struct Home {
    const std::vector<Node>* body;
    std::size_t first, last;
  };
  void scan(const Kernel& kernel, const std::vector<Node>& body);

  void use(const StorageUse& use, const std::vector<Node>& body, std::size_t child);

  std::map<Storage, Home> homes_;
  std::set<std::uint16_t> indexed_;  ///< arrays with a use anywhere
  std::set<Storage> shared_;
};

bool contains_loops(const Node& node);

}  // namespace mansard
