// The loop-tree IR: what the parser produces (all parameters are numbers), what schedule steps transform, what the
// stream lowers to addresses and what `mansard code` prints. Everything is in elements and subscripts; bytes,
// registers and placement come later (stream/lower.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "input/diagnostic.hpp"
#include "workload/quasi.hpp"

namespace mansard {

// ---------------------------------------------------------------------------------------------------- arrays

enum class ElementType : std::uint8_t { f64, f32, f16, i64, i32, i16, i8 };
std::uint32_t bytes_of(ElementType type);
const char* c_name(ElementType type);  ///< "double", "float", "_Float16", "long", "int", "short", "signed char"
bool is_float(ElementType type);

/// Known integer values of an index array (row pointers, columns, flags), row-major over the extents.
using IndexData = std::shared_ptr<const std::vector<std::int32_t>>;

using ArrayId = std::uint16_t;
struct Array {
  std::string name;
  ElementType type = ElementType::f64;
  std::vector<Int> extents;         ///< as declared; empty for a scalar (scalars live in registers)
  std::vector<Int> padding;         ///< elements added to each extent by `pad`; same length as extents
  std::vector<std::uint8_t> order;  ///< index order in memory, slowest first; identity unless `layout` changed it
  IndexData data;                   ///< null: contents unknown. Arrays with data are never written
  bool nontemporal = false;         ///< stores go past the caches
  bool is_private = false;          ///< declared inside a loop: one per iteration, lives in registers
  bool is_buffer = false;           ///< made by the step `stage`: holds copies, is no result of the program
  bool is_shared = false;           ///< of those: lies in a GPU's shared memory, one for each block of threads
  Position at;                      ///< of the declaration
};
/// Element offset strides of each subscript under order and padding, slowest last declared = 1 by default.
std::vector<Int> strides(const Array& array);
Int allocated_elements(const Array& array);

// ---------------------------------------------------------------------------------------------------- accesses

/// Reads an index array (or computes a value) into a slot: slot = table[subscripts], or slot = subscripts[0] when
/// `table` is absent. Reading a table is also a load of that element.
struct Define {
  Slot slot = 0;
  std::optional<ArrayId> table;
  std::vector<Quasi> subscripts;  ///< over loop slots and slots defined earlier (nested or carried indices)
  Position at;
};

struct Access {
  ArrayId array = 0;
  std::vector<Quasi> subscripts;
  std::vector<Define> indices;  ///< the tables that must be read first for the subscripts, in order
  Position at;
};

// ---------------------------------------------------------------------------------------------------- values

enum class Op : std::uint8_t {
  number,   ///< literal
  integer,  ///< an index expression used as a value: no floating-point work
  scalar,   ///< a scalar variable (register)
  load,     ///< an array element
  negate,
  add,
  subtract,
  multiply,
  divide,
  square_root,
  absolute,
  fused_multiply_add,
  minimum,
  maximum,
  call,    ///< exp, log, pow, sin, cos …: one call, counted apart
  select,  ///< condition ? a : b, on data
  compare  ///< a < b …: no flop counted
};

using ScalarId = std::uint16_t;
struct Scalar {
  std::string name;
  ElementType type = ElementType::f64;
  bool is_private = false;        ///< declared inside a loop
  std::optional<double> initial;  ///< `double sum = 0;` outside all loops
};

/// An expression tree in text order. Trees are at most 1000 deep (the parser refuses more).
struct Value {
  Op op = Op::number;
  double number = 0;
  ScalarId scalar = 0;
  Access access;     ///< Op::load
  Quasi index;       ///< Op::integer
  std::string name;  ///< Op::call: the function; Op::compare: the operator; Op::number: "int" if written as an
                     ///< integer; loads, scalars, integers and arithmetic: the type they are cast to, if any
  std::vector<Value> operands;
};

/// Flops of an expression by kind. An FMA is two flops and one instruction.
struct FlopCount {
  std::uint32_t add = 0, mul = 0, fma = 0, div = 0, sqrt = 0, call = 0;
  /// add (also min, max, abs are not counted) + mul + 2·fma + div + sqrt; calls are reported apart and count none.
  [[nodiscard]] std::uint32_t flops() const { return add + mul + 2 * fma + div + sqrt; }
  FlopCount& operator+=(const FlopCount& o);
  friend bool operator==(const FlopCount&, const FlopCount&) = default;
};

// ---------------------------------------------------------------------------------------------------- the tree

enum class Assign : std::uint8_t { set, add, subtract, multiply, divide };  ///< =, +=, -=, *=, /=

struct Statement {
  std::string label;  ///< "S1", "S2", … in text order; scalar statements are labelled too
  std::variant<ScalarId, Access> target;
  Assign assign = Assign::set;
  Value value;                ///< the right-hand side alone; `+=` implies a read of the target first, in text order
  std::uint32_t updates = 0;  ///< that one execution is worth, where Kernel::updates_by_statement
  Position at;
};

struct Node;

/// Whether a loop is vectorised: as its dependences allow, or as the schedule says.
enum class Simd : std::uint8_t { automatic, vector, scalar };

/// What an iteration of a loop is on a GPU, by the step gpu(…): one block of threads, one thread of a block, or one
/// element that the threads of a block deal out among themselves (staging into shared memory).
enum class GpuRole : std::uint8_t { none, block, thread, together };

/// How a nest is launched on a GPU.
struct GpuMapping {
  std::array<std::uint32_t, 3> block{1, 1, 1};  ///< threads along x, y, z
  std::array<Int, 2> order{1, 1};               ///< blocks start tile by tile of so many along x and y; 1x1: row by row
  std::uint32_t updates_per_thread = 1;         ///< at most, by folding and coarsening
  std::optional<std::uint32_t> registers;       ///< of a thread, where given
  Position at;                                  ///< of the step
};

/// for (slot = max(lower); slot <= min(upper); slot += step), or downwards from min(upper) when step < 0.
struct Loop {
  Slot slot = 0;
  std::string name;                 ///< the C variable; tile loops are named kt, jt, …
  std::vector<Define> reads;        ///< table elements that the bounds read, once at entry
  std::vector<Quasi> lower, upper;  ///< both inclusive; at least one each
  Int step = 1;
  std::vector<Node> body;
  bool parallel = false;        ///< by the step parallel(…): shared among cores
  Int chunk = 0;                ///< of a shared loop: iterations dealt out at a time, in turn; 0: one block a core
  bool counts_updates = false;  ///< one iteration is one update: the loop named by `update`. If no loop is marked,
                                ///< every innermost iteration that executes an array statement is one
  std::uint32_t unroll = 1;     ///< while a schedule is applied: to be written out as so many copies
  Simd simd = Simd::automatic;  ///< recorded by the steps vectorize(…) and scalar
  GpuRole role = GpuRole::none;
  std::uint8_t axis = 0;                     ///< of blocks and threads: 0 x, 1 y, 2 z
  std::shared_ptr<const GpuMapping> launch;  ///< the outermost loop of a launch has it
  Position at;
};

/// A conjunction: every expression is >= 0.
using Conjunction = std::vector<Quasi>;

struct Guard {
  std::vector<Conjunction> any_of;  ///< taken if any conjunction holds; empty: see `ratio`
  std::vector<Define> reads;        ///< table elements that the condition reads
  std::vector<Value> data;          ///< data condition (unknown values): its loads and flops, evaluated each time
  std::optional<double> ratio;      ///< data condition: fraction of executions in which the body runs
  std::uint32_t site = 0;           ///< identifies the guard in the seeded hash that decides
  bool negated = false;             ///< the else branch of the data condition with the same site
  std::vector<Node> body;
  Position at;
};

struct Node {
  std::variant<Loop, Guard, Statement, Define> is;
};

/// A workload with every size known. Slots are numbered 0 … slots.size()-1; loops that share a name have own slots.
struct Kernel {
  std::string name;
  std::vector<Array> arrays;  ///< in order of declaration; index arrays included
  std::vector<Scalar> scalars;
  std::vector<std::string> slots;     ///< name of each slot, for messages and printing
  std::vector<Node> nests;            ///< top level, in order
  bool updates_by_statement = false;  ///< set by unrolling: statements say what they are worth, not loops
  std::vector<std::pair<std::string, Int>> parameters;
  std::vector<std::string> schedule;  ///< the steps applied, as printed in reports
  std::vector<std::string> warnings;
};

/// Visits every node of a subtree, parents first. The visitor is called with (Node&).
template <class Nodes, class Visitor>
void visit_nodes(Nodes& nodes, Visitor&& visitor) {
  for (auto& node : nodes) {
    visitor(node);
    if (auto* loop = std::get_if<Loop>(&node.is)) visit_nodes(loop->body, visitor);
    if (auto* guard = std::get_if<Guard>(&node.is)) visit_nodes(guard->body, visitor);
  }
}

/// "S2.i", the loop i around statement S2, to {"S2", "i"}; "i" to {"", "i"}.
std::pair<std::string, std::string> split_loop_name(const std::string& name);
bool contains_statement(const std::vector<Node>& nodes, const std::string& label);

FlopCount operation_of(Op op);  ///< one operation of this kind; none for loads, numbers, comparisons …
Op operator_of(Assign assign);  ///< `+=` is an addition; Op::number for `=`
FlopCount count_flops(const Value& value);
/// The same work after contraction as a compiler does it for a core with FMA units: a product that feeds only an
/// addition or subtraction becomes one fma.
FlopCount contract_flops(const Statement& statement);
/// Of one execution: the right-hand side plus the operator of a compound assignment; a*b+c is an fma only where the
/// text says fma(): contraction is the compiler's business and a matter of the in-core model.
FlopCount count_flops(const Statement& statement);

}  // namespace mansard
