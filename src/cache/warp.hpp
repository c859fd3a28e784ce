// Fast-forward over iterations that are proven to repeat themselves.
#pragma once

#include <vector>

#include "cache/stage.hpp"

namespace mansard {

/// What is remembered of one loop at one stage.
struct Stage::Loop {
  Loop(const Counts& counts, std::size_t levels)
      : before(counts), change(counts), last_change(counts), states(levels) {}
  Counts before, change, last_change;
  std::vector<LevelState> states;  // [level], as saved
};

/// One execution of a loop at one stage, whose iterations do the same again with every line moved by `lines`.
/// The proof: if the state after an iteration is the state before it, moved by `lines`, then the next iteration does
/// what this one did, moved, and leaves that state moved again; by induction so do all others. Then the change of every
/// counter is multiplied, the state moved, and the next stage told. Counters that change alike only say when it is
/// worth looking: comparing states costs as much as some iterations.
/// Nothing need be compared where the lines stay the same ones, all touches of an iteration hit and uses are kept in
/// order: the same hits in the same order once more leave the lines in the order in which they are, and as dirty.
class Warp {
 public:
  Warp(Stage& stage, std::int64_t lines);
  Warp(const Warp&) = delete;
  Warp& operator=(const Warp&) = delete;
  ~Warp() { stage_.leave_loop(); }

  void begin();                       ///< of an iteration
  bool end(std::uint64_t remaining);  ///< true: the `remaining` iterations are done as well

 private:
  enum class Look : std::uint8_t { none, sparse, full };
  [[nodiscard]] bool moved() const;
  [[nodiscard]] bool hits_only() const;
  [[nodiscard]] std::uint64_t exchanges() const;
  [[nodiscard]] bool keeps_owners(std::int64_t distance) const;
  void decide(bool proven);

  Stage& stage_;
  std::int64_t lines_;
  Stage::Loop& loop_;
  Look look_ = Look::none;
  std::size_t mark_ = 0;
  std::uint64_t spills_ = 0, occupied_ = 0, lookups_ = 0, exchanges_ = 0;
  std::uint64_t iteration_ = 0, wait_until_ = 0, patience_ = 1;
  bool changed_alike_ = false;
};

}  // namespace mansard
