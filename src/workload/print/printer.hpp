// Expressions as C. Index reads are printed where they are used: x[col[p]].
#pragma once

#include <string>
#include <vector>

#include "workload/kernel.hpp"

namespace mansard {

class ExpressionPrinter {
 public:
  /// `full`: C as compilers read it. The subset's / rounds down, and its arrays have their declared layout.
  explicit ExpressionPrinter(const Kernel& kernel, bool full = false);

  std::string quasi(const Quasi& q) const;
  std::string list(const char* function, const std::vector<Quasi>& bounds) const;  ///< min(a, min(b, c))
  std::string access(const Access& access);
  std::string value(const Value& value, bool outermost = false);
  std::string condition(const Guard& guard);
  std::string scalar(ScalarId id) const { return scalars_[id]; }
  std::string array(ArrayId id) const { return arrays_[id]; }
  std::string slot(Slot slot) const { return slots_[slot]; }

  void read(const Define& define);  ///< from here on the slot is printed as the element read
  void rename(Slot slot, std::string name) { slots_[slot] = std::move(name); }

 private:
  std::string element(ArrayId array, const std::vector<Quasi>& subscripts) const;
  std::string call(const char* function, const Value& value);
  std::string uncast(const Value& value, bool outermost);

  const Kernel& kernel_;
  bool full_;
  std::vector<std::string> slots_, scalars_, arrays_;
};

}  // namespace mansard
