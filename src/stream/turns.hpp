// One core's part of a loop that is shared among cores, a turn at a time.
#pragma once

#include <vector>

#include "stream/walker.hpp"

namespace mansard {

/// Which iterations of a shared loop a core gets, as OpenMP's static schedules deal them out: one block a core, the
/// first ones an iteration longer where they cannot be equal; or chunks in turn, beginning with core 0.
struct Assignment {
  std::uint64_t iterations, cores, core;
  std::uint64_t chunk = 0;  ///< 0: blocks
  [[nodiscard]] std::uint64_t count() const;
  [[nodiscard]] std::uint64_t at(std::uint64_t n) const;  ///< the n-th of them, n < count()
};

/// A turn is one iteration of a loop directly inside the shared one. Straight-line code before the first such loop
/// belongs to its first iteration, code behind a loop to the last iteration of that. An iteration of the shared loop
/// without a loop inside is one turn.
class Turns {
 public:
  /// `first`: value of the shared loop at its iteration 0. The accesses go to `sink`, which must outlive this.
  Turns(const StreamLoop& loop, Int first, const Assignment& mine, Walker& walker, const Sink& sink);

  [[nodiscard]] bool done() const { return begun_ == mine_.count() && between(); }
  /// Is the next turn the first of an iteration of the shared loop?
  [[nodiscard]] bool between() const { return inner_ == nullptr && open_.empty(); }
  void take();                                                                 ///< one turn; not when done
  [[nodiscard]] std::uint64_t left() const { return mine_.count() - begun_; }  ///< iterations not begun
  [[nodiscard]] std::uint64_t next() const { return mine_.at(begun_); }        ///< of the shared loop; not when done
  /// The loop that the next turn is an iteration of, if it has been entered, and what is left of it.
  [[nodiscard]] const StreamLoop* inner() const { return inner_; }
  [[nodiscard]] Trips inner_left() const { return inner_left_; }
  void skip_turns(std::uint64_t turns);                          ///< less than inner_left().count
  void skip(std::uint64_t iterations) { begun_ += iterations; }  ///< of those assigned; when between()

 private:
  void advance();

  const StreamLoop& loop_;
  Int first_;
  Assignment mine_;
  Walker& walker_;
  std::uint64_t begun_ = 0;
  std::vector<std::span<const StreamNode>> open_;  ///< what is left to do, innermost guard last
  const StreamLoop* inner_ = nullptr;              ///< entered
  Trips inner_left_{};
};

}  // namespace mansard
