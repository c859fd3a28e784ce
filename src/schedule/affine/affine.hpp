// The affine nests of a kernel as isl wants them: units (statements with the set of iterations in which they run and
// the elements that they touch), and the tree of loops that orders them. A schedule step changes the tree only; the
// units, and with them the dependences, stay those of the program as written. generate.hpp makes loops of it again.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workload/kernel.hpp"

namespace mansard {

/// An element that a unit touches, over its iterators.
struct UnitAccess {
  std::string space;              ///< "A3" (array 3) or "X2" (scalar 2)
  std::vector<Quasi> subscripts;  ///< none for scalars
  bool write = false;
  std::optional<Op> update;  ///< target of `+=`, `-=` (Op::add) or `*=` (Op::multiply): may be reassociated
  std::string condition;     ///< isl text; empty: always
  std::string shown;         ///< "u[t%2][j][i]"
};

/// Statements that stay together: one statement, or those that hand values on in registers (private scalars).
struct Unit {
  std::string label;            ///< "S1", "S1-S2"
  std::vector<Slot> iterators;  ///< of the loops around it as written, outermost first
  std::string domain;           ///< isl text: constraints on the iterators
  std::vector<Quasi> order;     ///< place in the program as written: position, loop, position, loop, … position
  std::vector<UnitAccess> accesses;
  std::vector<Node> nodes;
};

/// A loop, or a unit, or a top-level nest that is not affine.
struct Branch {
  enum class Kind : std::uint8_t { loop, unit, opaque };
  Kind kind = Kind::loop;
  std::size_t unit = 0;     ///< of a unit
  std::vector<Node> nodes;  ///< of an opaque nest
  std::string reason;       ///< why it is not affine: "x[col[p]] is read through an index array"
  Position at;              ///< of the reason, or of the loop
  std::string name;         ///< of a loop
  bool parallel = false, counts_updates = false;
  Int chunk = 0;  ///< of a parallel loop
  Simd simd = Simd::automatic;
  bool is_tile = false;                ///< runs over tiles
  Int start = 0;                       ///< of a loop over tiles or copies: its first value
  std::uint32_t unroll = 1;            ///< the last loop around a unit: written out as so many copies
  std::vector<ScalarId> own;           ///< scalars of which each copy has its own
  std::map<std::size_t, Quasi> value;  ///< per unit below: the loop's variable as a function of the unit's iterators
  std::vector<Branch> children;
};

struct AffineNests {
  std::vector<Unit> units;
  std::vector<Branch> roots;              ///< one per top-level node of the kernel
  std::vector<bool> changed;              ///< per root: its loops have to be generated again
  std::map<ScalarId, std::size_t> homes;  ///< scalars that each iteration of so many loops around has to itself
};

AffineNests affine_nests(const Kernel& kernel);

/// Units below a branch, in text order.
std::vector<std::size_t> units_below(const Branch& branch);
std::vector<std::size_t> units_below(const std::vector<Branch>& branches);

/// In which of the copies that a loop marked `unroll` stands for an execution of the unit runs, from 0.
Quasi copy_of(const Branch& copies, std::size_t unit);

std::string scalar_space(ScalarId id);  ///< UnitAccess::space

/// Is this the unit that holds the statement?
bool holds_statement(const Unit& unit, const std::string& label);
/// Index of the unit that holds the statement; none if there is none.
std::optional<std::size_t> unit_of(const AffineNests& nests, const std::string& statement);

}  // namespace mansard
