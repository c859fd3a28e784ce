// The production hierarchy: all levels together, one access after the other.
#pragma once

#include <memory>
#include <vector>

#include "cache/geometry.hpp"
#include "cache/level.hpp"
#include "cache/owner.hpp"

namespace mansard {

/// Exact for every combination of roles, write modes and switches (docs/bytes.md says what each does). The first level
/// runs the accesses; what does not end there comes back through Outside and moves on from level to level here.
class JointHierarchy final : public Hierarchy, private Outside {
 public:
  JointHierarchy(const Geometry& geometry, const std::vector<Region>& regions);

  void consume(const Batch& batch) override;
  [[nodiscard]] const Counters& counters() const override { return counters_; }
  void drain() override;
  [[nodiscard]] std::uint64_t dirty_lines() const override;
  [[nodiscard]] std::uint64_t lookups() const override { return levels_[0]->lookups(); }

 private:
  using Line = std::uint64_t;
  using Bytes = std::uint64_t;
  using Cause = Bytes Flow::*;  // demand_fills or write_allocate

  // Outside: from the first level
  void load_miss(Line line) override;
  void store_miss(Line line, std::uint32_t bytes) override { store_miss(0, line, bytes); }
  void store_through(Line line, std::uint32_t bytes) override { forward_store(0, line, bytes); }
  void nontemporal(Line line, std::uint32_t bytes) override;
  void streamed(Line line, std::uint64_t bytes) override { flow(memory_, line).nontemporal += bytes; }

  // inward: level `k` is asked for a line
  bool fetch(std::size_t k, Line line, Cause cause);

  // outward: level `k` is given something, or gives it
  void store(std::size_t k, Line line, Bytes bytes);
  void store_miss(std::size_t k, Line line, Bytes bytes);
  void forward_store(std::size_t k, Line line, Bytes bytes);
  void insert(std::size_t k, Line line, bool dirty);
  void insert_victim(std::size_t k, Line line, bool dirty);
  void send_out(std::size_t k, Victim victim);
  void receive(std::size_t k, Line line);

  bool remove_above(std::size_t k, Line line);
  [[nodiscard]] bool is_victim_level(std::size_t k) const { return k < memory_ && rules_[k].role == Role::victim; }
  Flow& flow(std::size_t boundary, Line line) { return counters_.flows[boundary][owner_(line)]; }

  ByKind account(const Run& run);
  ByKind account(std::span<const Element> elements);

  std::vector<LevelGeometry> rules_;
  std::size_t memory_;  // the level behind the last cache
  Bytes line_bytes_;
  Owner owner_;
  std::vector<std::unique_ptr<Level>> levels_;
  Counters counters_;
};

}  // namespace mansard
