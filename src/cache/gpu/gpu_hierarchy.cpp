#include "cache/gpu/gpu_hierarchy.hpp"

#include <algorithm>

namespace mansard {
namespace {

GpuStageShape shape_of(const GpuGeometry& geometry, std::size_t k, const std::vector<Region>& regions) {
  GpuStageShape shape{geometry.levels[k], std::nullopt, geometry.fetch, regions};
  if (k + 1 < geometry.levels.size()) shape.next = geometry.levels[k + 1];
  return shape;
}

GpuStageCounts no_counts(const std::vector<Region>& regions) { return {{}, std::vector<Flow>(regions.size()), 0}; }

}  // namespace

GpuHierarchy::GpuHierarchy(std::span<const GpuGeometry> geometries, const std::vector<Region>& regions)
    : geometry_(geometries.front()), regions_(regions), first_{nullptr, no_counts(regions)} {
  empty_first(geometry_.levels.front().bytes);
  for (const GpuGeometry& geometry : geometries) {
    Chain& chain = behind_.emplace_back();
    for (std::size_t k = 1; k < geometry.levels.size(); ++k)
      chain.push_back({make_shared_stage(shape_of(geometry, k, regions)), no_counts(regions)});
  }
}

void GpuHierarchy::empty_first(std::uint64_t bytes) {
  play();
  geometry_.levels.front().bytes = bytes;
  first_.stage = make_first_stage(shape_of(geometry_, 0, regions_), geometry_.units);
}

void GpuHierarchy::play() {
  if (pending_.empty()) return;
  missed_.clear();
  first_.stage->play(pending_, missed_, first_.counts);
  pending_.clear();
  for (Chain& chain : behind_) {
    if (chain.empty()) continue;
    // The first of these levels reads what all geometries have in common.
    tape_.clear();
    chain.front().stage->play(missed_, tape_, chain.front().counts);
    play_behind(chain, 1, tape_);
  }
}

void GpuHierarchy::play_behind(Chain& chain, std::size_t k, SectorTape& tape) {
  for (; k < chain.size(); ++k) {
    next_.clear();
    chain[k].stage->play(tape, next_, chain[k].counts);
    tape.swap(next_);
  }
}

void GpuHierarchy::drain() {
  play();
  for (Chain& chain : behind_) {
    for (std::size_t k = 0; k < chain.size(); ++k) {
      tape_.clear();
      chain[k].stage->drain(tape_, chain[k].counts);
      play_behind(chain, k + 1, tape_);
    }
  }
}

Counters GpuHierarchy::counters(std::size_t geometry) {
  play();
  const Chain& chain = behind_[geometry];
  Counters counters(chain.size() + 1, regions_.size());
  for (std::size_t k = 0; k <= chain.size(); ++k) {
    const GpuStageCounts& counts = k == 0 ? first_.counts : chain[k - 1].counts;
    counters.levels[k] = counts.level;
    counters.flows[k + 1] = counts.flows;
  }
  return counters;
}

std::uint64_t GpuHierarchy::between_partitions() {
  play();
  std::uint64_t sum = 0;
  for (const Stage& stage : behind_.front()) sum += stage.counts.between_partitions;
  return sum;
}

std::uint64_t GpuHierarchy::beyond_first() {
  play();
  std::uint64_t sum = 0;
  for (const Flow& flow : first_.counts.flows) sum += flow.total();
  return sum;
}

}  // namespace mansard
