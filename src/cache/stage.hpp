// A stage: neighbouring levels that depend on each other's state. What leaves its last level goes to the next stage as
// events. A level whose line comes back from a victim cache, or is taken out by an inclusive one, shares their stage;
// everything else is feed-forward, one stage a level (docs/engine.md, "Decoupled levels").
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cache/combining_buffers.hpp"
#include "cache/counts.hpp"
#include "cache/fetch_evasion.hpp"
#include "cache/front_end.hpp"
#include "cache/geometry.hpp"
#include "cache/level.hpp"
#include "cache/owner.hpp"
#include "cache/prefetcher.hpp"
#include "cache/tape.hpp"

namespace mansard {

/// What accesses of one kind to one array ask for.
struct Requested {
  std::uint16_t array;
  Kind kind;
  std::uint64_t accesses, bytes;
};

/// Exact for every combination of roles, write modes and switches (docs/bytes.md says what each does). The first level
/// runs accesses or plays events; what does not end there comes back and moves on from level to level here.
class Stage final : private Beyond {
 public:
  /// Levels [begin, end) of the geometry. `next` is the stage of level `end`, null before memory.
  /// No line above `highest_line` will be touched.
  Stage(const Geometry& geometry, const std::vector<Region>& regions, std::size_t begin, std::size_t end, Stage* next,
        std::uint64_t highest_line, const Share& share);
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage();

  void consume(const Batch& batch);  ///< of the first stage
  /// Of the first stage: `events` stand for all accesses of `requested`.
  void consume(std::span<const Event> events, std::span<const Requested> requested);
  /// Plays nodes [from, to) of what the stage before wrote, moved by `lines`.
  void play(const Tape& tape, std::size_t from, std::size_t to, std::int64_t lines);
  void drain_combined();  ///< of the first stage: what its write-combining buffers hold goes to memory
  /// Hands everything written so far to the next stage, and that to its next.
  void flush();

  [[nodiscard]] const Counts& counts() const { return counts_; }
  Counts& counts() { return counts_; }
  [[nodiscard]] const std::vector<std::unique_ptr<Level>>& levels() const { return levels_; }
  [[nodiscard]] const FrontEnd& front_end() const { return *front_end_; }
  [[nodiscard]] std::uint64_t lookups() const { return levels_.front()->lookups(); }
  [[nodiscard]] const Owner& owner() const { return owner_; }

  // For loops that repeat themselves (cache/warp.hpp)
  struct Loop;  ///< what is remembered of one loop, by depth
  Loop& enter_loop();
  void leave_loop();
  [[nodiscard]] std::size_t begin_iteration();  ///< mark in what is written to the next stage
  /// Ends an iteration that began at `mark`; hands it on if this is the outermost loop.
  void end_iteration(std::size_t mark);
  /// The iteration that began at `mark` and just ended happens `times` more, each moved by `lines`.
  void repeat_iteration(std::size_t mark, std::uint64_t times, std::int64_t lines);
  /// Changes whenever what was written had to be handed on early, so that an iteration cannot be repeated from it.
  [[nodiscard]] std::uint64_t spills() const { return spills_; }
  [[nodiscard]] bool tells_state() const { return tells_state_; }
  [[nodiscard]] std::uint64_t entries() const { return entries_; }  ///< lines that the levels can hold
  [[nodiscard]] std::uint64_t occupied() const;                     ///< lines that they do
  [[nodiscard]] std::uint32_t cycle() const;                        ///< the longest of the levels'

 private:
  using Line = std::uint64_t;
  using Bytes = std::uint64_t;
  using Cause = Bytes Flow::*;  // demand_fills, write_allocate or prefetch

  // Beyond: what did not end in the first level
  void fetch_missed(Line line, Event::Kind cause) override;
  void store_missed(Line line, std::uint32_t bytes) override {
    plain_ ? fetch_plain(line, Event::store) : store_miss(begin_, line, bytes);
  }
  void stored_through(Line line, std::uint32_t bytes) override { forward_store(begin_, line, bytes); }
  void write_back_missed(Line line) override { receive_missed(begin_, line); }
  void written_through(Line line) override { write_through(begin_, line); }
  void nontemporal_passed(Event event) override;
  void streamed(Line line, std::uint64_t bytes) override { flow(memory_, line).nontemporal += bytes; }

  // … and a first level with a prefetcher was looked up
  void looked_up(Line line, bool missed) override { looked_up(begin_, line, missed); }

  // inward: level `k` is asked for a line
  bool fetch(std::size_t k, Line line, Cause cause);
  bool fetch_beyond(std::size_t k, Line line, Cause cause);
  void looked_up(std::size_t k, Line line, bool missed);
  void fetch_plain(Line line, Event::Kind cause);

  // outward: level `k` is given something, or gives it
  void store(std::size_t k, Line line, Bytes bytes);
  void store_miss(std::size_t k, Line line, Bytes bytes);
  void forward_store(std::size_t k, Line line, Bytes bytes);
  void insert(std::size_t k, Line line, bool dirty);
  void insert_victim(std::size_t k, Line line, bool dirty);
  void send_out(std::size_t k, Line line, bool dirty);
  void receive(std::size_t k, Line line);
  void receive_missed(std::size_t k, Line line);
  void write_through(std::size_t k, Line line);

  bool remove_everywhere(Line line);
  void to_memory(Line line) { flow(memory_, line).nontemporal += line_bytes_; }
  bool remove_above(std::size_t k, Line line);
  void play_repeat(const Tape& tape, const Tape::Node& node, std::int64_t lines);
  void hand_on(std::size_t from, std::size_t to);
  void catch_up();

  Level& level(std::size_t k) { return *levels_[k - begin_]; }
  [[nodiscard]] bool is_victim_level(std::size_t k) const { return k < memory_ && rules_[k].role == Role::victim; }
  Flow& flow(std::size_t boundary, Line line) { return counts_.flows[boundary * columns_ + owner_(line)]; }
  void send(Line line, Event::Kind kind, std::uint32_t bytes = 0) {
    if (next_ != nullptr) out_.push(Event::of(line, kind, bytes));
  }

  template <class Play>
  void consume(ByKind requests, const Play& play);
  template <class Iterations>
  ByKind account(const Iterations& iterations);
  ByKind account(std::span<const Element> elements);
  ByKind account(std::span<const Requested> requested);

  std::vector<LevelGeometry> rules_;  // of all levels of the hierarchy
  std::size_t begin_, end_;
  std::size_t memory_;  // the level behind the last cache
  Bytes line_bytes_;
  bool plain_ = true;  // no level is a victim cache, nor has a mechanism: misses take the short way of fetch_plain
  std::uint64_t inclusive_ = 0;  // bit k: level k is
  bool combines_;                ///< non-temporal stores, in buffers of the first stage
  CombiningBuffers combining_;
  Owner owner_;
  std::size_t columns_;  // of counters at a boundary
  std::vector<std::unique_ptr<Level>> levels_;
  std::optional<FrontEnd> front_end_;                     // of the first stage
  std::vector<std::unique_ptr<Prefetcher>> prefetchers_;  // [level - begin], null where there is none
  std::vector<std::unique_ptr<FetchEvasion>> evasions_;   // likewise
  Counts counts_;
  Stage* next_;
  Tape out_;
  bool tells_state_;
  std::uint64_t entries_ = 0;
  std::vector<std::unique_ptr<Loop>> loops_;  // [depth]: kept for their memory
  std::size_t depth_ = 0;                     // loops entered
  std::uint64_t spills_ = 0;
};

}  // namespace mansard
