// The caches of several cores, built of the same levels as the engine for one core, and what passes between them: the
// production form of naive_cores.cpp.
#pragma once

#include <memory>
#include <vector>

#include "cache/cores/cores.hpp"
#include "cache/cores/holders.hpp"
#include "cache/cores/watch.hpp"
#include "cache/counts.hpp"
#include "cache/fetch_evasion.hpp"
#include "cache/level.hpp"
#include "cache/owner.hpp"
#include "cache/set_index.hpp"

namespace mansard {

class CoherentLevels {
 public:
  CoherentLevels(const Geometry& geometry, const std::vector<Region>& regions, std::uint32_t cores);

  /// Bytes [from, to) of a line, one look-up of the core's first cache. Look-ups that hit are not counted here.
  void access(std::uint32_t core, std::uint64_t line, std::uint64_t from, std::uint64_t to, Kind kind);
  /// Is this access a hit that changes nothing? Then it needs no `access`.
  [[nodiscard, gnu::always_inline]] bool is_idle(std::uint32_t core, std::uint64_t line, Kind kind) const {
    const Latest& latest = latest_[core / rules_[0].shared_by][slot(line)];
    return latest.line == line && (kind == Kind::load || (kind == Kind::store && latest.owned));
  }

  void drain();
  [[nodiscard]] std::uint64_t dirty_lines() const;
  [[nodiscard]] Counts& counts() { return counts_; }
  [[nodiscard]] const Counts& counts() const { return counts_; }
  [[nodiscard]] const std::vector<SharingCount>& sharing() const { return sharing_; }
  [[nodiscard]] std::uint64_t lookups() const { return lookups_; }

  // The state as a whole, to prove that it repeats itself
  using State = std::vector<LevelState>;
  [[nodiscard]] bool tells_state() const { return tells_state_; }
  [[nodiscard]] std::uint64_t entries() const { return entries_; }  ///< lines that all caches can hold
  void save(State& state) const;
  /// Is every line now where it was then, moved by `lines`, and no line watched?
  [[nodiscard]] bool is_moved(const State& state, std::int64_t lines) const;
  [[nodiscard]] bool keeps_owners(std::int64_t lines) const;
  void move(std::int64_t lines);

 private:
  using Line = std::uint64_t;
  using Cause = std::uint64_t Flow::*;  // demand_fills or write_allocate
  struct Copies {
    bool any = false, dirty = false;
  };
  /// What a first cache used last in a set: the line is there, and using it again changes nothing.
  struct Latest {
    Line line = ~Line{0};
    bool owned = false;  // it is dirty here, and nobody else has a copy
  };

  void load(std::uint32_t core, Line line);
  void store(std::size_t k, std::uint32_t core, Line line, std::uint64_t bytes);
  void store_on(std::size_t k, std::uint32_t core, Line line, std::uint64_t bytes);
  void nontemporal(std::uint32_t core, Line line, std::uint64_t bytes, std::uint64_t touched);

  void claim(std::uint32_t core, Line line, std::uint64_t touched);
  void snoop(std::size_t k, std::uint32_t core, Line line);
  Copies take(std::size_t k, std::size_t i, Line line, bool removes);
  [[nodiscard]] bool others_hold(std::uint32_t core, Line line, bool anywhere) const;

  bool fetch(std::size_t k, std::uint32_t core, Line line, Cause cause);
  void insert(std::size_t k, std::uint32_t core, Line line, bool dirty);
  void insert_victim(std::size_t k, std::uint32_t core, Line line, bool dirty);
  void send_out(std::size_t k, std::uint32_t core, Line line, bool dirty);
  void receive(std::size_t k, std::uint32_t core, Line line);
  std::optional<bool> remove(std::size_t k, std::size_t i, Line line);

  /// Caches of level k - 1 within cache i of level k, or within memory.
  struct Range {
    std::size_t begin, end;
  };
  [[nodiscard]] Range inside(std::size_t k, std::size_t i) const;
  [[nodiscard]] std::size_t mine(std::size_t k, std::uint32_t core) const {
    return k == memory_ ? 0 : core / rules_[k].shared_by;
  }
  Level& at(std::size_t k, std::uint32_t core) { return *levels_[k][mine(k, core)]; }
  Flow& flow(std::size_t boundary, Line line) { return counts_.flows[boundary * sharing_.size() + owner_(line)]; }
  /// Where `latest_` remembers a line: lines of one set share a slot, sets may.
  static constexpr std::uint64_t most_slots = 4096;
  [[nodiscard]] std::uint64_t slot(Line line) const { return first_index_(line) & (most_slots - 1); }
  void forget_latest();

  std::vector<LevelGeometry> rules_;
  std::size_t memory_;
  std::uint64_t line_bytes_, highest_line_;
  Owner owner_;
  Counts counts_;
  std::vector<SharingCount> sharing_;                                 // [array]
  std::vector<std::vector<std::unique_ptr<Level>>> levels_;           // [level][cache]
  std::vector<std::vector<std::unique_ptr<FetchEvasion>>> evasions_;  // [level][cache], null where none
  std::vector<bool> tracked_;                                         // [level]: its caches report to holders_
  std::vector<std::size_t> number_;                                   // [level]: of its first cache, there
  Holders holders_;
  std::vector<std::vector<std::uint64_t>> own_;  // [core]: the tracked caches that it uses
  Watch watch_;
  SetIndex first_index_;
  bool keeps_latest_;                        // a second use in a row changes nothing
  std::vector<std::vector<Latest>> latest_;  // [first cache][slot]
  std::uint64_t lookups_ = 0, entries_ = 0;
  bool tells_state_;
};

}  // namespace mansard
