// From accesses to events of the first cache: one event a touched line, with the touches left out that are known
// beforehand to change nothing.
#pragma once

#include <cstdlib>
#include <span>
#include <vector>

#include "cache/geometry.hpp"
#include "cache/level.hpp"
#include "cache/marked_ref.hpp"
#include "cache/share.hpp"
#include "cache/touch_plan.hpp"

namespace mansard {

/// Plays batches against the first level of a hierarchy.
class FrontEnd {
 public:
  /// `invalidated`: levels further out may take lines out of the first one. `prefetched`: lines may come into a level
  /// that no access asked for. `combines`: non-temporal stores go through buffers, each in its turn.
  FrontEnd(Level& first, Beyond& beyond, const LevelGeometry& geometry, std::uint32_t line_bytes, bool invalidated,
           bool prefetched, bool combines, const Share& share, LevelCount& count);

  /// Returns the line look-ups in excess of one per access (straddling). Events may wait until `finish`.
  ByKind play(const Run& run);
  ByKind play(const Gather& gather);
  ByKind play(std::span<const Element> elements);
  /// Can touches that are known to change nothing be left out? (LRU; nothing leaves the first level but by eviction.)
  [[nodiscard]] bool may_reduce() const { return may_reduce_; }
  /// Events of the first cache as they are.
  void play(std::span<const Event> events);
  /// Plays what waits. Of the look-ups, all were taken for hits; those that miss are subtracted now.
  void finish();

 private:
  static constexpr std::size_t piece = 4096;  ///< events: stay in the L1 of the machine we run on

  static Event::Kind event_kind(Kind kind) {
    return kind == Kind::load ? Event::demand : kind == Kind::store ? Event::store : Event::nontemporal;
  }
  ByKind play_all(const Run& run);
  void push(const Element& element, ByKind& straddles);
  ByKind play_as_columns(const Run& run);
  std::uint64_t window(const Gather& run);
  void play_in_full(const Gather& run, std::uint64_t from, std::uint64_t to, ByKind& straddles);
  void play_rows(const Gather& run, std::uint64_t from, std::uint64_t count, std::uint64_t window);
  ByKind play_share(const Gather& run, std::uint64_t window);
  std::uint64_t mark(const Gather& run, std::uint64_t from, std::uint64_t count, std::uint64_t broken,
                     std::uint64_t window);
  void play_marked(std::uint64_t iterations);
  /// Are touches of a line by reference r left out between others that are `window` iterations apart?
  [[nodiscard]] bool thins(const Gather& run, std::size_t r, std::uint64_t window) const {
    return window > 1 && run.refs[r].kind == Kind::load && run.index[r].scale == 0 &&
           std::abs(run.stride[r]) < static_cast<Int>(line_bytes_);
  }
  std::size_t keep(std::size_t from, std::size_t to);
  bool reduce_watched(const Run& run);
  bool reducible(const Run& run);
  bool fits(const Run& run);
  bool fits_sets(const Run& run);
  void play_reduced(const Run& run);
  void push_entries(const Run& run, std::uint64_t after, std::uint64_t before);
  void push_period(std::uint64_t start, std::uint64_t after, std::uint64_t before);
  void push_whole(std::uint64_t periods);
  void push_turns(std::uint64_t periods);
  void make_room(std::size_t events) {
    if (used_ + events > events_.size()) finish();
    if (events > events_.size()) events_.resize(events);
  }
  void iterate(const Run& run, std::uint64_t n);
  [[nodiscard]] std::uint64_t settling(const Run& run) const;

  void push(std::uint64_t line, Kind kind, std::uint32_t bytes);
  void push_straddling(const Element& element, ByKind& straddles);
  [[nodiscard]] std::uint64_t line_of(const Run& run, std::size_t r, std::uint64_t n) const {
    return static_cast<std::uint64_t>(run.base[r] + static_cast<Int>(n) * run.stride[r]) >> shift_;
  }

  Level& first_;
  Beyond& beyond_;
  std::uint64_t sets_, ways_;
  int shift_;
  std::uint64_t line_bytes_;
  bool ordered_;  ///< LRU, and every store leaves its mark in the first level and nowhere else
  bool may_reduce_, prefetched_, combines_;
  Share share_;
  LevelCount& count_;      ///< of the first level
  bool gathered_ = false;  ///< among the events that wait
  TouchPlan plan_;
  std::vector<Int> gaps_;  ///< between the streams of the run that fits_sets() was asked for last
  bool fits_ = false;
  std::vector<Event> events_;  ///< the first used_ wait to be played
  std::size_t used_ = 0;
  struct {
    const StreamRef* refs = nullptr;
    std::vector<Int> strides;
    std::uint64_t window = 1;
  } known_;  ///< the answer of window() for the body it was asked for last
  std::vector<Gather::Index> no_index_;
  std::vector<std::uint64_t> columns_;    ///< [iteration][reference] the events of a gathering run
  std::vector<MarkedRef> marked_;         ///< of the iterations being played for a share
  std::vector<std::uint64_t> at_, step_;  ///< per touch of a period: the event, and how far it moves in a period
  struct Turn {
    std::uint64_t at, step;
  };
  std::vector<std::vector<Turn>> turns_;  ///< [period modulo classes] the same, of the touches of a share
};

}  // namespace mansard
