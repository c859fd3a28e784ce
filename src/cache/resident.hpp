// Loop nests whose data (nearly) fit into the first cache: most touches of their lines change nothing.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "cache/geometry.hpp"
#include "cache/set_index.hpp"
#include "cache/stage.hpp"
#include "cache/touch_chooser.hpp"
#include "stream/program.hpp"

namespace mansard {

/// With LRU, a touch of a line changes nothing if from the touch kept before it to the touch after it no more lines of
/// its set are touched than the set has ways: the line stays all that time, and is newest again at the later touch. So
/// if no set gets more lines than ways from one execution of a nest, the first and the last touch of every line are all
/// that is needed; in sets that get more, some others have to be kept (docs/engine.md, "Nests that fit"). Which ones is
/// found out once for each shape of the nest: executions that differ only in where their arrays are, by whole lines,
/// share it.
class ResidentNests {
 public:
  struct Execution {
    std::span<const Event> events;  ///< of the first cache: the touches that are kept
    std::span<const Requested> requested;
    std::span<const std::pair<std::uint32_t, std::uint64_t>> bodies;  ///< id and executions
  };

  ResidentNests(const LevelGeometry& first, std::uint32_t line_bytes);

  /// Null if the loop, entered with these values, is not known to fit. Else what its iterations amount to; valid until
  /// the next call.
  const Execution* find(const StreamLoop& loop, Int first, std::uint64_t count, std::span<const Int> environment);

 private:
  /// The parts of a rectangular nest in the order of the program; loops hold the parts that follow them.
  struct Part {
    const StreamLoop* loop;  ///< null: a body
    const Body* body;
    std::size_t end;        ///< of a loop: the part after its own
    std::size_t first_ref;  ///< of a body: its first one among all references
  };
  struct Nest {
    bool rectangular = true;  ///< and nothing gathered, guarded or non-temporal
    std::vector<Part> parts;
    std::vector<const StreamRef*> refs;
    std::vector<const StreamLoop*> loops;  ///< without the outermost
  };
  /// Everything that the lines of an execution depend on, but for where the arrays are.
  struct Shape {
    std::vector<std::uint64_t> counts;  ///< of each loop
    std::vector<Int> phases;            ///< of each reference: base modulo line, distance from its array's first one
    friend bool operator==(const Shape&, const Shape&) = default;
  };
  using Touch = NestTouch;
  /// The touches to keep when the arrays are so far from each other.
  struct Plan {
    bool made = false, useful = false;
    std::vector<Touch> touches;
  };
  struct Known {
    Shape shape;
    bool fits = false;
    std::vector<Touch> first, last;                    ///< of every line
    std::vector<Touch> all;                            ///< every single one, if there are few
    std::map<std::vector<std::uint64_t>, Plan> plans;  ///< by the distances of the arrays from the first one, in sets
    std::vector<Requested> requested;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> bodies;
  };
  struct Memory {
    Nest nest;
    Shape seen;                ///< by the last execution that was not known
    std::vector<Known> known;  ///< latest first
  };
  class Recorder;

  Memory& memory(const StreamLoop& loop);
  bool collect(const std::vector<StreamNode>& nodes, Nest& nest, std::vector<Slot>& inside) const;
  bool enter(const Nest& nest, const StreamLoop& loop, Int first, std::uint64_t count,
             std::span<const Int> environment);
  bool spread_over_sets(const Known& known);
  const Plan& plan(Known& known);
  void push(const std::vector<Touch>& touches);

  SetIndex index_;
  std::uint64_t sets_, ways_;
  Int line_bytes_;
  std::map<const StreamLoop*, Memory> memories_;

  // Of the present execution
  Shape shape_;
  std::vector<Int> base_;             // [ref] address in the first iteration of all loops
  std::vector<std::uint16_t> array_;  // [ref] index among the arrays of the nest
  std::vector<Int> origin_;           // [array of the nest] line of its first reference
  std::vector<Int> environment_;
  std::vector<std::uint16_t> in_set_;
  std::vector<std::uint64_t> distances_;  // as in Known::plans
  std::size_t planned_ = 0;               // touches in all plans
  std::vector<Event> events_;
  Execution execution_;
};

}  // namespace mansard
