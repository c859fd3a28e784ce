// What must stay in order: two executions conflict if they touch an element that one of them writes. The conflict
// relation, intersected with the order of the program as written, forbids exactly the reorderings that could change a
// value (it holds the transitively implied pairs too, and is much cheaper than exact data flow).
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "schedule/affine/affine.hpp"

namespace mansard {

class Dependences {
 public:
  /// The kernel and the units must outlive this. Conflict relations are worked out when first needed, and kept.
  Dependences(const Kernel& kernel, const AffineNests& nests);
  ~Dependences();
  Dependences(const Dependences&) = delete;
  Dependences& operator=(const Dependences&) = delete;

  /// Sums and products that grow by `+=`, `-=` or `*=` may be taken in any order from here on.
  void allow_reassociation();

  /// The dependence that the order of these branches breaks, in words; none if every one is kept. Exact.
  std::optional<std::string> broken_by(const std::vector<Branch>& branches, const Position& at);

  /// Does every dependence between these units go forward, or nowhere, in each of the given loops? Then they may be
  /// tiled. Units without a value for a loop are not asked about it.
  bool never_backwards(const std::vector<std::size_t>& units, const std::vector<std::map<std::size_t, Quasi>>& loops,
                       const Position& at);

  /// A dependence between different iterations of the last of these loops, each of which is around the next, in words.
  /// What lies in `own` (spaces as in UnitAccess) is each iteration's own.
  std::optional<std::string> carried_by(const std::vector<const Branch*>& loops, const std::set<std::string>& own,
                                        const Position& at);

  /// Smallest and largest value of an expression over a unit's iterations; none if it never runs.
  std::optional<std::pair<Int, Int>> range_of(std::size_t unit, const Quasi& value, const Position& at);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mansard
