// A schedule being applied: the kernel, and the affine view of its loops while steps rearrange them. Loops are
// generated again only when a step needs to see them, or at the end.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "schedule/affine/affine.hpp"
#include "schedule/affine/dependences.hpp"
#include "schedule/grammar.hpp"
#include "workload/kernel.hpp"

namespace mansard {

class Scheduling {
 public:
  Scheduling(Kernel& kernel, bool force) : kernel_(kernel), force_(force) {}

  Diagnostics diagnostics;

  [[nodiscard]] Kernel& kernel() { return kernel_; }  ///< for its arrays and scalars; the loops may be out of date
  Kernel& with_loops();                               ///< with the loops as they are now
  AffineNests& nests();
  Dependences& dependences();
  void allow_reassociation();
  [[nodiscard]] bool may_reassociate() const { return reassociate_; }
  [[nodiscard]] bool forced() const { return force_; }  ///< steps that change the result are warned of, not refused

  /// Puts branches in the place of `count` roots from `first` on, if they keep every dependence, or by force. Else
  /// reports the dependence that the step would break. `known` true: the caller has proved it already.
  bool replace_roots(std::size_t first, std::size_t count, std::vector<Branch> with, const StepCall& step,
                     bool known = false);

  /// Roots that hold a loop of this name ("i" or "S2.i"); none and a mistake where it is not found, or only in nests
  /// that are not affine (`opaque` true: those count too).
  std::vector<std::size_t> roots_with(const std::string& loop, const Position& at, bool opaque = false);

 private:
  Kernel& kernel_;
  bool force_, reassociate_ = false;
  std::unique_ptr<AffineNests> nests_;
  std::unique_ptr<Dependences> dependences_;
};

/// The loops below a branch with this name; "S2.i": those around statement S2.
std::vector<Branch*> loops_named(Branch& root, const AffineNests& nests, const std::string& name);

/// The loops from `from` down to `to`, each the only child of the one before; empty if something else is between.
std::vector<Branch*> band(Branch& from, const Branch* to);

}  // namespace mansard
