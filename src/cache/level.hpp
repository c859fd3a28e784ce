// One cache of the production hierarchy: its lines, which of them are dirty, and the order in which they are replaced.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "cache/counters.hpp"
#include "cache/lazy_array.hpp"
#include "cache/owner.hpp"
#include "cache/tape.hpp"
#include "stream/program.hpp"

namespace mansard {

/// A copy of (some of) a level's sets; what is in it is the level's business.
class LevelState {
 public:
  /// What it held is lost.
  void resize(std::size_t size) {
    if (size > room_) {
      memory_ = LazyArray<unsigned char>(size);
      room_ = size;
    }
    size_ = size;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] unsigned char* data() const { return memory_.data(); }

 private:
  LazyArray<unsigned char> memory_;
  std::size_t size_ = 0, room_ = 0;
};

/// What a level that is a stage of its own does with a miss: counts it, sends the events on.
struct Solo {
  const Owner* owner = nullptr;
  LevelCount* count = nullptr;
  Flow* flows = nullptr;  ///< [columns] of the boundary behind the level
  std::size_t columns = 0;
  Tape* out = nullptr;
  bool before_memory = false;  ///< nobody reads `out`
};

/// What became of a line that was used: it was there, or it was put in, and perhaps another one had to make room.
/// In one register: a struct would go through memory at every miss.
class Used {
 public:
  static Used hit() { return Used(~std::uint64_t{0}); }
  static Used missed(std::uint64_t victim, bool dirty) { return Used((victim + 1) << 1U | (dirty ? 1U : 0U)); }
  static Used missed() { return Used(0); }
  /// Of an entry that holds (line + 1) * 2 + dirty, or 0 if it is empty.
  static Used missed_for(std::uint64_t entry) { return Used(entry); }
  [[nodiscard]] bool was_hit() const { return code_ == ~std::uint64_t{0}; }
  [[nodiscard]] std::uint64_t entry() const { return code_; }            ///< after a miss, as in missed_for
  [[nodiscard]] bool has_victim() const { return code_ != 0; }           ///< after a miss
  [[nodiscard]] bool dirty_victim() const { return (code_ & 1U) != 0; }  ///< false if there is none
  [[nodiscard]] std::uint64_t victim() const { return (code_ >> 1U) - 1; }

 private:
  explicit Used(std::uint64_t code) : code_(code) {}
  std::uint64_t code_;
};

/// Something counted for each kind of access.
struct ByKind {
  std::uint64_t loads = 0, stores = 0, nontemporal = 0;
  std::uint64_t& operator[](Kind kind) {
    return kind == Kind::load ? loads : kind == Kind::store ? stores : nontemporal;
  }
};

/// What the first level of a stage hands on: what does not end there. `bytes` are those of the access in that line.
class Beyond {
 public:
  virtual void fetch_missed(std::uint64_t line, Event::Kind cause) = 0;  ///< demand, write_allocate or prefetch
  virtual void store_missed(std::uint64_t line, std::uint32_t bytes) = 0;
  virtual void stored_through(std::uint64_t line, std::uint32_t bytes) = 0;  ///< a hit in a write-through level
  virtual void write_back_missed(std::uint64_t line) = 0;
  virtual void written_through(std::uint64_t line) = 0;  ///< a write-back that hit a write-through level
  virtual void nontemporal_passed(Event event) = 0;
  /// The bytes of more non-temporal stores to a line that was just stored to so, and cached nowhere since.
  virtual void streamed(std::uint64_t line, std::uint64_t bytes) = 0;
  virtual void looked_up(std::uint64_t line, bool missed) = 0;  ///< after all else; only of levels that are watched

 protected:
  ~Beyond() = default;
};

/// Made by a Policy. Lines are line numbers (address / line bytes), below 2^62.
class Level {
 public:
  virtual ~Level() = default;
  /// Is the line there? If so, `renew` counts as a use in the replacement order, and `mark` makes it dirty.
  virtual bool hit(std::uint64_t line, bool renew, bool mark) = 0;
  /// Puts in a line that is not there, as the newest; tells which line had to make room.
  virtual Used insert(std::uint64_t line, bool dirty) = 0;
  /// With sectors, more than one may have to go: the others, until there are none.
  virtual Used next_victim() { return Used::missed(); }
  /// Takes a line out; returns whether it was dirty, nothing if it was not there.
  virtual std::optional<bool> remove(std::uint64_t line) = 0;
  [[nodiscard]] virtual bool is_dirty(std::uint64_t line) const = 0;
  /// Makes one line clean, wherever it stands in the order; was it there and dirty?
  virtual bool clean_line(std::uint64_t line) = 0;
  virtual void visit_dirty(const std::function<void(std::uint64_t line)>& visitor) const = 0;
  virtual void clean() = 0;  ///< every line stays and is no longer dirty

  /// Plays events, moved by `lines`, against this level as the first of its stage. Hits end here, everything else goes
  /// to `beyond` (which may change this level) before the next event; misses are counted there.
  /// `gathered`: many events are of the line used last in its set, the others hit or miss at random; the result does
  /// not depend on it.
  virtual void play(std::span<const Event> events, std::int64_t lines, Beyond& beyond, bool gathered) = 0;
  /// Plays an affine run without the touches that change nothing, watching that they would not have; false if that is
  /// not possible or not worth it. Then nothing has happened.
  /// `fits`: no eviction can make a difference, only what levels further out take out.
  virtual bool reduce(const Run& run, Beyond& beyond, bool fits) = 0;
  /// Misses are handled by the level itself from now on, as Stage would: NINE, write-back, write-allocate, a write-back
  /// that misses allocates, stores that hit renew.
  virtual void go_solo(const Solo& solo) = 0;
  /// From now on no line is taken out (by `remove`): lines only leave for others.
  virtual void lines_stay() {}
  /// Are the lines used last that agree modulo the number of sets, as many as a set has ways, always there?
  [[nodiscard]] virtual bool keeps_latest() const = 0;
  /// Line look-ups that `play` and `reduce` really made, so far; those that could be left out are accounted all the
  /// same.
  [[nodiscard]] virtual std::uint64_t lookups() const = 0;

  /// Lines put in or taken out, so far. While that stays as it is, all was hits.
  [[nodiscard]] virtual std::uint64_t exchanges() const = 0;

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
