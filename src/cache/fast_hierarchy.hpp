// The production hierarchy: stages in a row, and loops that repeat themselves fast-forwarded.
#pragma once

#include <memory>
#include <vector>

#include "cache/geometry.hpp"
#include "cache/resident.hpp"
#include "cache/run_finder.hpp"
#include "cache/stage.hpp"
#include "stream/same_lines.hpp"
#include "stream/shape.hpp"

namespace mansard {

class FastHierarchy final : public Hierarchy, private LoopHook {
 public:
  FastHierarchy(const Geometry& geometry, const std::vector<Region>& regions, bool fast_forward, const Share& share);

  void consume(const Batch& batch) override;
  [[nodiscard]] const Counters& counters() const override;
  void drain() override;
  [[nodiscard]] std::uint64_t dirty_lines() const override;
  [[nodiscard]] std::uint64_t lookups() const override;
  LoopHook* loop_hook() override { return this; }

 private:
  bool loop(const StreamLoop& loop, Int first, std::uint64_t count, Walker& walker) override;
  bool play_resident(const StreamLoop& loop, Int first, std::uint64_t count, Walker& walker);
  void consume(const Run& run);
  void consume(const Gather& gather);
  void consume(std::span<const Element> elements);
  void consume_long(const Run& run);
  void consume_long(const Gather& gather);

  bool fast_forward_;
  Share share_;
  std::uint32_t line_bytes_;
  std::uint64_t highest_line_;
  std::vector<std::unique_ptr<Stage>> stages_;  // from the core outward
  std::vector<Level*> levels_;                  // of all stages
  ShapeFinder shapes_;
  SameLines same_lines_;
  ResidentNests resident_;
  RunFinder runs_;
  std::vector<std::vector<std::uint64_t>> executions_;  // [depth]: before the present iteration of each loop
  std::size_t depth_ = 0;
  mutable Counters counters_;
};

}  // namespace mansard
