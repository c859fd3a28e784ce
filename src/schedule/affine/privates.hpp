// Which statements of a loop body hand values on in registers and therefore stay together.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "workload/kernel.hpp"

namespace mansard {

/// A scalar, or an array declared inside a loop: what has one storage place for all iterations.
using Storage = std::pair<bool, std::uint16_t>;  ///< {is an array, id}

struct StorageUse {
  Storage storage;
  bool write = false;
};

/// Scalars and private arrays that a loop-free node uses, in order of execution.
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

  std::map<Storage, Home> homes_;
  std::set<Storage> shared_;
};

bool contains_loops(const Node& node);

}  // namespace mansard
