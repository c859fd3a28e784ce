// Loops whose references move differently, but by so little that for some iterations all of them stay in their lines:
// in C[i][j] += A[i][k] * B[k][j] with k innermost, eight iterations of j ask for the same lines in the same order.
// What stream/shape.hpp finds for references that move alike, this finds for those.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "stream/shape.hpp"

namespace mansard {

class SameLines {
 public:
  explicit SameLines(std::uint32_t line_bytes) : line_(line_bytes) {}

  /// Stretches of one iteration a period that move by no line, as ShapeFinder::stretches; none if there is no telling,
  /// or if lines are left too soon.
  std::vector<Stretch> stretches(const StreamLoop& loop, Int first, std::uint64_t count,
                                 std::span<const Int> environment);

 private:
  /// A reference that the loop moves, in a nest where it keeps its place in the line while all loops inside run.
  struct Mover {
    const StreamRef* ref;
    Int move;  ///< bytes, in an iteration of the loop
  };
  struct Nest {
    std::vector<const StreamLoop*> inner;  ///< outer before inner
    std::vector<Mover> movers;
  };
  [[nodiscard]] std::optional<Nest> nest_of(const StreamLoop& loop) const;
  [[nodiscard]] std::uint64_t stays(Int address, const Mover& mover) const;

  Int line_;
  std::map<const StreamLoop*, std::optional<Nest>> known_;
  std::vector<Int> environment_, addresses_;
};

}  // namespace mansard
