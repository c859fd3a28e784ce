// One cache of the production hierarchy: its lines, which of them are dirty, and the order in which they are replaced.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "cache/counters.hpp"
#include "cache/owner.hpp"
#include "cache/tape.hpp"
#include "stream/program.hpp"

namespace mansard {

/// A line that leaves a cache.
struct Victim {
  std::uint64_t line;
  bool dirty;
};

/// A copy of (some of) a level's sets; what is in it is the level's business.
using LevelState = std::vector<unsigned char>;

/// What a level that is a stage of its own does with a miss: counts it, sends the events on.
struct Solo {
  const Owner* owner;
  LevelCount* count;
  Flow* flows;  ///< of the boundary behind the level, by array
  Tape* out;    ///< null before memory
  std::uint64_t line_bytes;
};

/// Something counted for each kind of access.
struct ByKind {
  std::uint64_t loads = 0, stores = 0, nontemporal = 0;
  std::uint64_t& operator[](Kind kind) {
    return kind == Kind::load ? loads : kind == Kind::store ? stores : nontemporal;
  }
};

/// What the events of a stage's first level that do not end there are handed to.
class Beyond {
 public:
  virtual void fetch_missed(std::uint64_t line, Event::Kind cause) = 0;  ///< demand, write_allocate or prefetch
  virtual void write_back_missed(std::uint64_t line) = 0;
  virtual void written_through(std::uint64_t line) = 0;  ///< a write-back that hit a write-through level
  virtual void nontemporal_passed(Event event) = 0;
  virtual void looked_up(std::uint64_t line, bool missed) = 0;  ///< after all else; only of levels that are watched

 protected:
  ~Beyond() = default;
};

/// What the accesses that do not end in the first level are handed to. `bytes` are those of the access in that line.
class Outside {
 public:
  virtual void load_miss(std::uint64_t line) = 0;
  virtual void store_miss(std::uint64_t line, std::uint32_t bytes) = 0;
  virtual void store_through(std::uint64_t line, std::uint32_t bytes) = 0;  ///< a hit in a write-through level
  virtual void nontemporal(std::uint64_t line, std::uint32_t bytes) = 0;
  /// The bytes of more non-temporal stores to a line that was just stored to so, and cached nowhere since.
  virtual void streamed(std::uint64_t line, std::uint64_t bytes) = 0;
  virtual void looked_up(std::uint64_t line, bool missed) = 0;  ///< after all else; only of levels that are watched

 protected:
  ~Outside() = default;
};

/// Made by a Policy. Lines are line numbers (address / line bytes), below 2^62.
class Level {
 public:
  virtual ~Level() = default;
  /// Is the line there? If so, `renew` counts as a use in the replacement order, and `mark` makes it dirty.
  virtual bool hit(std::uint64_t line, bool renew, bool mark) = 0;
  /// Puts in a line that is not there, as the newest; returns the line that had to make room.
  virtual std::optional<Victim> insert(std::uint64_t line, bool dirty) = 0;
  /// With sectors, more than one may have to go: the others, until there are none.
  virtual std::optional<Victim> next_victim() { return std::nullopt; }
  /// Takes a line out; returns whether it was dirty, nothing if it was not there.
  virtual std::optional<bool> remove(std::uint64_t line) = 0;
  [[nodiscard]] virtual bool is_dirty(std::uint64_t line) const = 0;
  virtual void visit_dirty(const std::function<void(std::uint64_t line)>& visitor) const = 0;
  virtual void clean() = 0;  ///< every line stays and is no longer dirty

  /// Runs accesses against this level as the first one. Hits end here, everything else goes to `outside` (which may
  /// change this level) before the next access. Returns the line look-ups in excess of one per access (straddling).
  virtual ByKind access(const Run& run, Outside& outside) = 0;
  virtual ByKind access(std::span<const Element> elements, Outside& outside) = 0;
  /// Plays events, moved by `lines`, against this level as the first of its stage; counts its look-ups.
  virtual void play(std::span<const Event> events, std::int64_t lines, Beyond& beyond, LevelCount& count) = 0;
  /// Misses are handled by the level itself from now on, as Stage would: NINE, write-back, write-allocate, and a
  /// write-back that misses allocates.
  virtual void go_solo(const Solo& solo) = 0;
  /// Line look-ups that `access` and `play` really made, so far; those that could be left out are accounted all the
  /// same.
  [[nodiscard]] virtual std::uint64_t lookups() const = 0;

  // The state as a whole. A level that cannot tell has no entries.
  [[nodiscard]] virtual std::uint64_t entries() const = 0;   ///< lines it can hold
  [[nodiscard]] virtual std::uint64_t occupied() const = 0;  ///< lines it holds
  /// Copies the sets, or some dozens of them if `sparse`.
  virtual void save(LevelState& state, bool sparse) const = 0;
  /// Is set s + lines now what set s was when it was saved, every line moved by `lines`, for every set saved?
  [[nodiscard]] virtual bool is_moved(const LevelState& state, bool sparse, std::int64_t lines) const = 0;
  /// Does every line stay in its array when moved by `lines`?
  [[nodiscard]] virtual bool keeps_owners(const Owner& owner, std::int64_t lines) const = 0;
  /// Iterations of a loop that should be compared as one, because the ways that a stream passes through repeat after so
  /// many. Any number is right; a good one finds repetition.
  [[nodiscard]] virtual std::uint32_t cycle() const { return 1; }
  /// Moves every line, and with it its set.
  virtual void move(std::int64_t lines) = 0;
};

}  // namespace mansard
